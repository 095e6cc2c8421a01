package threadgauge.wording.doubt

import kotlin.math.abs
import threadgauge.model.ConcurrencyModel
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.KneeDoubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TargetDoubt
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.megabytes
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole
import threadgauge.wording.words

/**
 * What doubts of one kind found, in all measurements together: a clause that "in 3 of 36 measurements" can follow.
 * These are the facts of the worst of them.
 */
internal fun DoubtFacts.kindWords(amounts: Amounts?, stacks: List<String>): String = when (this) {
    is LoadDoubt -> loadKindWords(amounts, stacks)
    is MachineDoubt -> machineKindWords(amounts)
    is AgentDoubt -> agentKindWords(amounts)
    is TargetDoubt.NotSteady ->
        plateau?.let { "servers were measured at ${it.words()} or more of where they were heading" }
            ?: "servers were still getting faster or slower after ${whole(warmUp.millis / 1e3)} s of warm-up"
    is TargetDoubt.GrowingMemory ->
        "the memory of a server grew from ${megabytes(fromBytes)} to ${megabytes(toBytes)} while it was measured"
    is TargetDoubt.MislabelledModel -> if (claimed == ConcurrencyModel.VIRTUAL_THREADS) {
        "the handler of $stack ran on a platform thread, $thread, although virtual threads are its model"
    } else {
        "the handler of $stack ran on a virtual thread, although platform threads are its model"
    }
    is OwnServiceDoubt.OtherPort -> "the port of $stack was guessed, because several answered: measured at port $port"
    is OwnServiceDoubt.SameProcess ->
        "all trials are of one process, because ${listed(this.stacks)} ran already, " +
            "so the interval does not include differences between processes" +
            if (here) ", and the load agent's cores were not kept free" else ""
    is OwnServiceDoubt.DifferentAnswers -> "the answers of $first and $second differ: ${difference.words()}"
    is OwnServiceDoubt.ChangedAnswers ->
        "the answers of $stack in trial $first and in trial $then differ: ${difference.words()}"
    is RunDoubt.BusyMachine -> "other programs used ${percent(share)} of the machine just before the run"
    is TargetDoubt, is OwnServiceDoubt, is RunDoubt, is SaleDoubt, is KneeDoubt, is RegressionDoubt -> words().seen
}

private fun LoadDoubt.loadKindWords(amounts: Amounts?, stacks: List<String>): String = when (this) {
    is LoadDoubt.LittlesLaw ->
        "throughput × latency is up to ${percent(amounts?.most ?: abs(share - 1))} off the number of users"
    is LoadDoubt.Failures -> "${amounts.shares(share)} of the requests failed or were never answered"
    is LoadDoubt.LeftOver -> "the server was busy with abandoned requests of the previous load"
    is LoadDoubt.FewSamples -> {
        val (least, most) = (amounts ?: Amounts(count.toDouble(), count.toDouble())).let { it.least to it.most }
        val answers = if (least == most) whole(least) else "${whole(least)} to ${whole(most)}"
        "there were $answers answers, fewer than the ${whole(needed)} that p99 needs,"
    }
    is LoadDoubt.ShortWindow -> "the load was too short for its answers"
    is LoadDoubt.UnequalWork ->
        "answers of ${listed(stacks).ifEmpty { "every stack" }} differ in length from those of the others: " +
            "${whole(ownBytes)} bytes on average, the median is ${whole(typicalBytes)}"
    is LoadDoubt.Outlier ->
        "throughput of single trials is up to ${percent(abs(off))} ${if (off < 0) "lower" else "higher"} " +
            "than that of the others"
    is LoadDoubt.NotMeasured -> words().seen
}

private fun MachineDoubt.machineKindWords(amounts: Amounts?): String = when (this) {
    is MachineDoubt.StolenTime -> "the host took ${amounts.shares(share)} of the machine"
    is MachineDoubt.OtherPrograms -> "other programs used ${amounts.shares(share)} of the machine"
    is MachineDoubt.CoreTaken ->
        "other programs used the server's core for ${amounts.shares(share)} of the time just before or after the load"
    is MachineDoubt.ReferenceChanged -> if (change > LARGE_CHANGE) {
        "a fixed piece of work on the server's core took up to ${digits(1 + change)} times as long after the load as before"
    } else {
        "the speed of the server's core changed by ${amounts.shares(abs(change))}"
    }
    is MachineDoubt.CoreSpeed ->
        "the clock speed of the server's core changed by ${amounts.shares(abs(megahertzAfter / megahertzBefore - 1))}"
    is MachineDoubt.Swapping -> "the machine swapped up to ${whole(amounts?.most ?: pages.toDouble())} pages of memory"
    is MachineDoubt.FileLimit ->
        "the server had ${amounts.shares(open.toDouble() / maxFiles)} of its allowed files open"
}

private fun AgentDoubt.agentKindWords(amounts: Amounts?): String = when (this) {
    is AgentDoubt.NearItsCeiling ->
        "the load agent ran at ${amounts.shares(share)} of its maximum throughput (limit ${plainPercent(limit)})"
    is AgentDoubt.SentLate ->
        "the load agent sent up to ${time(amounts?.most ?: p99Micros)} late (p99)"
    is AgentDoubt.CollectedGarbage -> "the load agent collected garbage for ${amounts.shares(share)} of the time"
    is AgentDoubt.Lost -> "load agents were lost, and ${amounts.shares(share)} of the load is missing"
    is AgentDoubt.NetworkBetween ->
        "a connection from the load agents took up to ${time(amounts?.most ?: medianMicros)} to open, which is in " +
            "every latency once or more"
    is AgentDoubt.ClocksApart -> "the load agents may have started up to ${time(boundMicros)} apart"
}

/** Its words name the stack, so nothing has to follow. */
internal val DoubtFacts.namesItsStack: Boolean
    get() = this is LoadDoubt.UnequalWork || this is OwnServiceDoubt ||
        this is TargetDoubt.MislabelledModel

/** "2.1 to 17 %", or "2.1 %" where all are alike; without a range the [single] one. */
private fun Amounts?.shares(single: Double): String {
    val most = percent(this?.most ?: single)
    val least = percent(this?.least ?: single)
    return if (least == most) most else "${least.removeSuffix(" %")} to $most"
}

private fun time(micros: Double) = if (micros < 1_000) "${whole(micros)} µs" else "${digits(micros / 1e3)} ms"

/** As a percentage, more than that is hard to read. */
private const val LARGE_CHANGE = 0.5
