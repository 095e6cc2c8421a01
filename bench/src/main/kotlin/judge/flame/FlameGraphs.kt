package threadgauge.judge.flame

import java.util.PriorityQueue
import threadgauge.judge.cause.GroupKey
import threadgauge.judge.cause.LibraryCode
import threadgauge.model.Record
import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.cause.FlameNode
import threadgauge.model.judgement.cause.FlameTop
import threadgauge.model.judgement.cause.FrameKind
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.isNative

/**
 * The flame graphs of [record], of the first profile with answers of each stack in each situation. A graph has at most
 * [MAX_NODES] nodes, the largest, so that one takes about 20 kB of a report.
 */
fun flameGraphs(record: Record, lookup: FlameLookup = FlameLookup.NONE): List<StackFlames> =
    record.plan.experiment.situations.flatMap { situation ->
        record.plan.stacks.mapNotNull { stack ->
            profiledCell(record, stack.name, situation.name, lookup)?.let { cell ->
                StackFlames(stack.name, situation.name, cell.folded.map { graphOf(it, null) })
            }
        }
    }.filter { it.graphs.isNotEmpty() }

/** The graph of [stacks]; with [base] that of the difference between both. */
internal fun graphOf(stacks: FoldedStacks, base: FoldedStacks?): FlameGraph {
    val groups = LinkedHashMap<GroupKey, Growing>()
    fun add(all: FoldedStacks, isBase: Boolean) = all.stacks.forEach { stack ->
        groups.getOrPut(stack.group) { Growing(null) }.add(stack.frames, stack.value, isBase)
    }
    add(stacks, isBase = false)
    base?.let { add(it, isBase = true) }
    val drawn = largest(groups.values)
    val roots = groups.filterValues { it in drawn }
        .map { (group, node) -> node.node(FrameKind.THREADS, group.name, drawn) }
        .sortedByDescending { it.width(base != null) }
    val tops = topsOf(stacks, base)
    return FlameGraph(stacks.kind, stacks.source, stacks.samples, roots, tops, isDifference = base != null)
}

private fun topsOf(stacks: FoldedStacks, base: FoldedStacks?): List<FlameTop> {
    fun own(all: FoldedStacks?) = all?.stacks.orEmpty().filter { it.frames.first() != REST_FRAME }
        .groupBy { it.frames.first().let { top -> top.type to top.method } }
    val (now, before) = own(stacks) to own(base)
    return (now.keys + before.keys).map { key ->
        val (its, earlier) = now[key].orEmpty() to before[key].orEmpty()
        FlameTop((its + earlier).first().frames.first(), its.sumOf { it.value }, earlier.sumOf { it.value })
    }.sortedByDescending { it.value + it.base }.take(MAX_TOPS)
}

/** A node is never larger than the one that calls it, so those that call it come first. */
private fun largest(roots: Collection<Growing>): Set<Growing> {
    val found = HashSet<Growing>()
    val next = PriorityQueue<Growing>(compareByDescending { it.size })
    next += roots
    while (found.size < MAX_NODES) {
        val node = next.poll() ?: break
        found += node
        next += node.calls.values
    }
    return found
}

private class Growing(private val frame: Frame?) {
    val calls = LinkedHashMap<Pair<String, String>, Growing>()
    private var value = 0.0
    private var base = 0.0
    val size: Double get() = value + base

    fun add(frames: List<Frame>, more: Double, isBase: Boolean) {
        var node = this
        node.count(more, isBase)
        for (frame in frames.asReversed()) {
            node = node.calls.getOrPut(frame.type to frame.method) { Growing(frame) }
            node.count(more, isBase)
        }
    }

    private fun count(more: Double, isBase: Boolean) {
        if (isBase) base += more else value += more
    }

    fun node(kind: FrameKind, threads: String?, drawn: Set<Growing>): FlameNode {
        val called = calls.values.filter { it in drawn }.sortedByDescending { it.size }
            .map { it.node(kindOf(checkNotNull(it.frame)), null, drawn) }
        return FlameNode(kind, frame.takeIf { kind != FrameKind.REST }, threads, value, base, called)
    }
}

private fun kindOf(frame: Frame): FrameKind = when {
    frame == REST_FRAME -> FrameKind.REST
    frame.isNative -> FrameKind.NATIVE
    LibraryCode.isJdk(frame) -> FrameKind.JDK
    LibraryCode.isOwn(frame) -> FrameKind.OWN
    else -> FrameKind.LIBRARY
}

private const val MAX_NODES = 1_000
private const val MAX_TOPS = 10
