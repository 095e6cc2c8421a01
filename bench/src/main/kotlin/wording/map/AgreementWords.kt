package threadgauge.wording.map

import threadgauge.model.judgement.map.MapAgreement
import threadgauge.model.plan.MapQuestion
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.whole

/** How far two maps agree: "At 208 of 208 places that both could tell, …". */
internal fun MapAgreement.words(): String {
    val same = told - contradictions.size
    val places = when {
        told == 0 -> "No stack was told at the same place by both."
        contradictions.isEmpty() ->
            "Where both could tell whether a stack fits, ${counted(told.toLong(), "time")}, they say the same."
        else -> "Where both could tell whether a stack fits, they say the same ${whole(same.toLong())} of " +
            "${counted(told.toLong(), "time")}."
    }
    val agreeing = borders - apart.size
    return places + when {
        borders == 0 -> " No border was found by both."
        apart.isEmpty() -> " All ${counted(borders.toLong(), "border")} that both found agree as far as they are known."
        else -> " Of ${counted(borders.toLong(), "border")} that both found, $agreeing agree as far as they are " +
            "known, and the others are apart by a factor of ${digits(apart.maxOf { it.factor })} or less."
    }
}

/** Each contradiction and each border that lies elsewhere; empty where maps agree. */
internal fun MapAgreement.details(question: MapQuestion): List<String> =
    contradictions.map {
        "${it.stack} to ${question.workWords(it.work)} with ${whole(it.users.toLong())} users: fits in " +
            "${if (it.fitsInBase) base else other} alone."
    } + apart.map { (a, b) ->
        "${a.stack} to ${question.workWords(a.work)}: border between ${range(a.fromUsers, a.toUsers)} users in " +
            "$base, and between ${range(b.fromUsers, b.toUsers)} in $other."
    }

private fun range(from: Int, to: Int) = "${whole(from.toLong())} and ${whole(to.toLong())}"
