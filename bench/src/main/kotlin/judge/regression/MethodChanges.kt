package threadgauge.judge.regression

import kotlin.math.abs
import threadgauge.judge.cause.ProfileView
import threadgauge.judge.cause.placeOf
import threadgauge.judge.flame.FoldedStack
import threadgauge.judge.flame.FoldedStacks
import threadgauge.judge.flame.ProfiledCell
import threadgauge.model.judgement.MethodChange
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.Frame
import threadgauge.stats.equalRates

/**
 * Methods whose CPU time per request differs between both profiles. Each sample counts for one method: that of the
 * user's code nearest to the top of its trace, as in [placeOf]. A difference counts if
 *
 * - it is beyond the counting error of samples: as samples of equal rates it would be so large in less than
 *   [LEAST_SURE] of all comparisons, shared among the methods that were compared (Bonferroni). Samples of a timer are
 *   counted as independent events ([equalRates]).
 * - and it is at least [LEAST_SHARE] of the CPU time of a request. Two processes of one build differ too, by what their
 *   compilers did, which one profile of each does not show.
 */
internal fun methodChanges(base: ProfiledCell, new: ProfiledCell): List<MethodChange> {
    val (before, now) = sameSources(base, new) ?: return emptyList()
    val baseCosts = costsOf(before, base)
    val newCosts = costsOf(now, new)
    val whole = maxOf(before.micros, now.micros)
    val methods = (baseCosts.keys + newCosts.keys).toList()
    return methods.mapNotNull { key ->
        val old = baseCosts[key] ?: Cost.NONE
        val other = newCosts[key] ?: Cost.NONE
        val chance = equalRates(old.samples, before.exposure, other.samples, now.exposure)
        val isLarge = abs(other.micros - old.micros) >= LEAST_SHARE * whole
        if (!isLarge || chance * methods.size > LEAST_SURE) return@mapNotNull null
        MethodChange(
            (newCosts[key] ?: old).frame, key.threads, old.micros, other.micros, old.samples, other.samples,
        )
    }.sortedByDescending { abs(it.newMicros - it.baseMicros) }
}

/** The CPU stacks of both, where they are from the same source: another one sees other threads. */
internal fun sameSources(base: ProfiledCell, new: ProfiledCell): Pair<FoldedStacks, FoldedStacks>? {
    val (before, now) = listOf(base, new)
        .map { side -> side.folded.find { it.kind == FlameKind.CPU }?.takeIf { it.samples > 0 && it.micros > 0 } }
    return if (before == null || now == null || before.source != now.source) null else before to now
}

private val FoldedStacks.micros: Double get() = stacks.sumOf { it.value }

/** Samples of a method for each microsecond that a request spends in it. */
private val FoldedStacks.exposure: Double get() = samples / micros

private class Cost(val frame: Frame?, val micros: Double, val samples: Long) {
    companion object {
        val NONE = Cost(null, 0.0, 0)
    }
}

/** A method by its class and its name, or a group of threads without one. */
private data class CostKey(val type: String, val method: String, val threads: String?)

private fun costsOf(all: FoldedStacks, cell: ProfiledCell): Map<CostKey, Cost> {
    val roles = ProfileView(cell.profile).roles
    return all.stacks.filterNot { it.group.name.startsWith(COMPILER) }.groupBy { stack ->
        val isOfJvm = roles[stack.group] == ThreadRole.JVM
        val frame = if (isOfJvm) null else stack.costFrame()
        if (frame == null) CostKey("", "", stack.group.name) else CostKey(frame.type, frame.method, null)
    }.mapValues { (key, stacks) ->
        val micros = stacks.sumOf { it.value }
        val frame = if (key.threads != null) null else stacks.maxBy { it.value }.costFrame()
        Cost(frame, micros, Math.round(micros * all.exposure))
    }
}

/** Where all of it is the JDK's, the innermost of its methods. */
private fun FoldedStack.costFrame(): Frame? = trace.let { placeOf(it)?.at ?: it.frames.firstOrNull() }

private const val LEAST_SURE = 0.01

/** Threads of the compiler, with `#` for digits. Their work depends on the process more than on the build. */
private const val COMPILER = "C# Compiler"

/** Of the CPU time of a request. */
private const val LEAST_SHARE = 0.03
