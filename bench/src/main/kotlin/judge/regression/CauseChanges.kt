package threadgauge.judge.regression

import kotlin.math.abs
import threadgauge.judge.flame.ProfiledCell
import threadgauge.judge.flame.graphOf
import threadgauge.judge.flame.profiledCell
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.judgement.AllocationChange
import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.PartChange
import threadgauge.model.judgement.PoolChange
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.judgement.cause.TimePart
import threadgauge.model.profile.FlameKind

/** How the causes of each cell changed that both sides have a profile of. */
internal fun causeChanges(sides: RecordSides, lookup: FlameLookup): List<CauseChange> = sides.pairs.mapNotNull { pair ->
    val base = sides.base.explained(pair.baseStack, pair.base, lookup) ?: return@mapNotNull null
    val new = sides.new.explained(pair.newStack, pair.new, lookup) ?: return@mapNotNull null
    changeOf(pair, base, new)
}

/**
 * Flame graphs of the difference between [new] and [base], each in one record or several, for the cells that both have
 * a profile of: per request, so that a different throughput changes nothing.
 */
fun flameChanges(base: List<Record>, new: List<Record>, lookup: FlameLookup): List<StackFlames> {
    val sides = RecordSides(RecordSide(base), RecordSide(new))
    return sides.pairs.mapNotNull { pair ->
        val before = sides.base.explained(pair.baseStack, pair.base, lookup) ?: return@mapNotNull null
        val now = sides.new.explained(pair.newStack, pair.new, lookup) ?: return@mapNotNull null
        val graphs = now.cell.folded.mapNotNull { stacks ->
            before.cell.folded.find { it.kind == stacks.kind && it.source == stacks.source }
                ?.let { graphOf(stacks, it) }
        }
        StackFlames(pair.baseStack.name, pair.base.name, graphs).takeIf { graphs.isNotEmpty() }
    }
}

private class Explained(val because: Because, val cell: ProfiledCell)

/** By the first of its records that was profiled. */
private fun RecordSide.explained(stack: Stack, situation: Situation, lookup: FlameLookup): Explained? {
    val because = measured(stack, situation).firstNotNullOfOrNull { it.cell.because } ?: return null
    return records.firstNotNullOfOrNull { profiledCell(it, stack.name, situation.name, lookup) }
        ?.let { Explained(because, it) }
}

private fun changeOf(pair: CellPair, base: Explained, new: Explained) = CauseChange(
    stack = pair.baseStack.name,
    situation = pair.base.name,
    baseHolder = base.because.holder,
    newHolder = new.because.holder,
    holderChanged = base.because.holder.subject != new.because.holder.subject,
    baseMicros = base.because.meanMicros,
    newMicros = new.because.meanMicros,
    parts = partChanges(base.because, new.because),
    methods = methodChanges(base.cell, new.cell),
    methodsFrom = sameSources(base.cell, new.cell)?.first?.source,
    allocated = allocationChange(base.cell, new.cell),
    pools = poolChanges(base.cell, new.cell),
)

/** What holds a stack, without how much: a pool that is 97 % busy and one that is 99 % busy are the same cause. */
private val Holder.subject: List<Any?> get() = when (this) {
    is Holder.Processor, is Holder.Load, is Holder.Collector, is Holder.CarriersPinned, is Holder.Unknown ->
        listOf(this::class)
    is Holder.EventLoop -> listOf(this::class, group, blocking?.kind)
    is Holder.RequestThreads -> listOf(this::class, group, doing?.kind)
    is Holder.Lock -> listOf(this::class, of)
    is Holder.ConnectionPool -> listOf(this::class, name)
    is Holder.Threads -> listOf(this::class, group)
    is Holder.Backend -> listOf(this::class, kind, on)
}

/**
 * Parts whose time differs by at least [PART_SHARE] of the longer of both latencies. A part is known by its kind, its
 * method and what is waited for, and not by its line, which changes with any edit above it.
 */
private fun partChanges(base: Because, new: Because): List<PartChange> {
    val before = base.split.groupBy { it.key }
    val now = new.split.groupBy { it.key }
    val least = PART_SHARE * maxOf(base.meanMicros, new.meanMicros)
    return (before.keys + now.keys).map { key ->
        val (old, other) = listOf(before, now).map { side -> side[key].orEmpty() }
        PartChange((old + other).maxBy { it.micros }, old.sumOf { it.micros }, other.sumOf { it.micros })
    }.filter { abs(it.newMicros - it.baseMicros) >= least }.sortedByDescending { abs(it.newMicros - it.baseMicros) }
}

private val TimePart.key get() = listOf(kind, place?.at?.type, place?.at?.method, group, on)

private fun poolChanges(base: ProfiledCell, new: ProfiledCell): List<PoolChange> =
    new.profile.pools.mapNotNull { pool ->
        val before = base.profile.pools.find { it.name == pool.name && it.kind == pool.kind }?.max
        val now = pool.max
        if (before == null || now == null || before == now) null else PoolChange(pool.name, pool.kind, before, now)
    }

private fun allocationChange(base: ProfiledCell, new: ProfiledCell): AllocationChange? {
    val (before, now) = listOf(base, new).map { side -> side.folded.find { it.kind == FlameKind.ALLOCATION } }
    if (before == null || now == null) return null
    val (old, other) = listOf(before, now).map { side -> side.stacks.sumOf { it.value } }
    return AllocationChange(old, other).takeUnless { other / old in 1 / ALLOCATION_RATIO..ALLOCATION_RATIO }
}

/** Far above the error of a mean latency, and of the number of threads in some twenty dumps. */
private const val PART_SHARE = 0.1

/** Each sample stands for what its thread allocated since the one before, so that a few large ones weigh much. */
private const val ALLOCATION_RATIO = 1.25
