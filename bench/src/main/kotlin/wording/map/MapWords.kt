package threadgauge.wording.map

import threadgauge.model.RunState
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlace
import threadgauge.model.judgement.map.MapStack
import threadgauge.model.judgement.map.StackLaw
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

/** What a request does: "wait 100 ms". */
internal fun MapQuestion.workWords(work: Int): String = when (sheet) {
    MapSheet.SHARE -> "block for ${MapSheet.SHARE_MILLIS} ms in ${amountWords(work)} of all cases"
    MapSheet.FAN_OUT -> "make ${counted(work.toLong(), "call")} of ${MapSheet.CALL_MILLIS} ms"
    MapSheet.WAIT, MapSheet.BLOCK, MapSheet.CPU -> "${sheet.verb} ${amountWords(work)}"
}

/** "100 ms". */
internal fun MapQuestion.amountWords(work: Int): String = "${whole(work.toLong())} ${sheet.unit}"

/** The axis of the columns. */
internal fun MapQuestion.axisWords(): String = when (sheet) {
    MapSheet.WAIT -> "how long a request waits, as for a backend (ms)"
    MapSheet.BLOCK -> "how long a request blocks its thread (ms)"
    MapSheet.CPU -> "how much a request computes (random characters)"
    MapSheet.SHARE -> "requests that block their thread for ${MapSheet.SHARE_MILLIS} ms (%)"
    MapSheet.FAN_OUT -> "calls of ${MapSheet.CALL_MILLIS} ms that a request makes at a time"
}

/** When a stack is said to fit. */
internal fun MapQuestion.fitWords(): String =
    "A stack fits where it answers at least ${plainPercent(enough)} of what the fastest one answers there, " +
        "and fails at most 1 % of its requests."

/** The findings, the plainest first. */
internal fun MapJudgement.findings(): List<String> {
    if (places.isEmpty()) return listOf("No place was measured.")
    val always = stacks.filter { fitsOf(it) == setOf(Fit.YES) }
    val never = stacks.filter { fitsOf(it) == setOf(Fit.NO) }
    val everywhere = when {
        always.size == stacks.size ->
            "All stacks fit everywhere on this map: here the choice of a model decides nothing."
        always.isEmpty() -> null
        else -> "${listed(always.map { it.title })} ${verb(always.size, "fits", "fit")} everywhere on this map."
    }
    val nowhere =
        never.map { "${it.title} fits nowhere on this map." }
    val others = stacks.filter { it !in always && it !in never }.mapNotNull { borderWords(it) }
    return listOfNotNull(everywhere) + others + nowhere + listOfNotNull(alikeWords())
}

private fun verb(count: Int, one: String, many: String) = if (count == 1) one else many

private fun MapJudgement.fitsOf(stack: MapStack): Set<Fit> =
    places.flatMap { it.stacks }.filter { it.stack == stack.name }.mapTo(HashSet()) { it.fit }

/** Where [stack] ends to fit, at the shortest and the longest work that has a border of it. */
private fun MapJudgement.borderWords(stack: MapStack): String? {
    val its = borders.filter { it.stack == stack.name }.sortedBy { it.work }
    if (its.isEmpty()) return null
    val ends = listOf(its.first(), its.last()).distinctBy { it.work }
    val why = when {
        its.all { it.bySetting } -> question.settingWords(stack)
        its.none { it.bySetting } -> "; what a request costs decides that"
        else -> "; for some of that, " + question.settingWords(stack).removePrefix(": ")
    }
    return "${stack.title} fits ${ends.joinToString(", and ") { it.words(question) }}$why."
}

private fun MapQuestion.settingWords(stack: MapStack): String =
    ": a setting decides that, which allows ${whole((stack.limit ?: 0).toLong())} ${limited()} at a time"

private fun MapQuestion.limited() = if (sheet == MapSheet.FAN_OUT) "calls" else "requests"

/** "up to a border between 200 and 252 users where requests wait 100 ms". */
internal fun MapBorder.words(question: MapQuestion): String {
    val side = if (fitsBelow) "up to" else "beyond"
    return "$side a border between ${whole(fromUsers.toLong())} and ${whole(toUsers.toLong())} users where requests " +
        question.workWords(work)
}

/** How much of the map is the same for all. */
private fun MapJudgement.alikeWords(): String? {
    val alike = places.count(MapPlace::doAllFit)
    if (alike == 0 || alike == places.size) return null
    return "At ${counted(alike.toLong(), "of the places", "of the places")} measured, all fit " +
        "(${percent(alike.toDouble() / places.size)}): there the model does not matter."
}

/** How the map was made. */
internal fun MapJudgement.methodWords(): String {
    val rounds = places.flatMap { place -> place.stacks.map { it.rounds } }
    val each = if (rounds.isEmpty()) "" else ", in ${rounds.min()} to ${rounds.max()} rounds"
    val wide = borders.filter { it.factor > MapBorder.WELL_KNOWN }
    val known = when {
        borders.isEmpty() -> ""
        wide.isEmpty() -> " Every border is known to a factor of ${digits(borders.maxOf { it.factor })}."
        else -> " Of ${counted(borders.size.toLong(), "border")}, ${borders.size - wide.size} are known to a " +
            "factor of 1.3 or less, and the others to ${digits(wide.maxOf { it.factor })} or less."
    }
    val blocks = if (processes == 1) "with one process of each stack" else
        "in $processes blocks with a fresh process of each stack"
    val end = if (isComplete) "" else if (state == RunState.COMPLETE) " Time was up before the search was." else
        " The run ended early."
    return "${counted(places.size.toLong(), "place")} of ${question.work.size * question.users.size} were measured" +
        "$each, $blocks, alive together.$known$end"
}

/** What may have changed the map; empty where nothing was seen. */
internal fun MapJudgement.doubtWords(): List<String> = listOfNotNull(
    stolenShare?.takeIf { it > DoubtLimits.STOLEN_TIME }?.let {
        "The host took ${percent(it)} of the machine on average. Rounds cancel most of it; what is left is in the " +
            "intervals."
    },
    othersShare?.takeIf { it > DoubtLimits.OTHER_PROGRAMS }?.let {
        "Other programs used ${percent(it)} of the processors on average. Close them and draw the map again."
    },
    "How the processes of a stack differ is assumed to be 2 %, because " +
        (if (processes == 1) "one of each does" else "$processes of each do") +
        " not show it. Draw the map again to see whether its borders stay.",
)

/** The numbers of a stack, and how far they go. */
internal fun StackLaw.words(): String {
    val bound = places?.let { ", and handles about ${whole(Math.round(it))} at a time at most" }.orEmpty()
    val more = if (cpuNanosPerWaiting < SEEN_NANOS) "" else
        " and ${digits(cpuNanosPerWaiting)} ns more for each other request inside"
    val memory = bytesPerWaiting?.let { ", keeps at most ${digits(it / 1e3)} kB of memory while it waits" }.orEmpty()
    return "a request costs ${digits(cpuMicros)} µs of all cores together$more$memory, takes " +
        "${digits(aloneMicros / 1e3)} ms beyond its wait where nobody else asks$bound. Such numbers, from every " +
        "other place, predict the throughput of $near of $of places within 25 %."
}

/** A thousand requests inside then cost each other a microsecond. */
private const val SEEN_NANOS = 1.0
