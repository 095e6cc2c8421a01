package threadgauge.probe.profile.flame

import threadgauge.model.profile.CallNode
import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Frame
import threadgauge.model.profile.GroupCalls

/** Methods without duplicates, in the order in which they were first asked for. Belongs to one thread. */
internal class FrameIndex {
    private val indices = LinkedHashMap<Frame, Int>()

    val frames: List<Frame> get() = indices.keys.toList()

    fun indexOf(frame: Frame): Int = indices.getOrPut(frame) { indices.size }
}

/** Merges traces into a call tree. Belongs to one thread. */
internal class CallTreeBuilder {
    private val groups = LinkedHashMap<Pair<String, Boolean>, Node>()

    /** Adds [value] to the innermost of [frames], which is the first. */
    fun add(threads: String, isVirtual: Boolean, frames: List<Frame>, value: Double) {
        if (value <= 0) return
        var node = groups.getOrPut(threads to isVirtual) { Node(Frame("", "")) }
        node.whole += value
        for (frame in frames.asReversed()) {
            node = node.called(frame)
            node.whole += value
            node.lines.merge(frame.line, value, Double::plus)
        }
        node.own += value
    }

    /**
     * The tree without nodes below [CallNode.MIN_SHARE] of it, whose sums are kept. Null without a value. [fileOf] is
     * the source file of a class.
     */
    fun tree(
        kind: FlameKind,
        source: FlameSource,
        samples: Long,
        index: FrameIndex,
        fileOf: (String) -> String?,
    ): CallTree? {
        val all = groups.values.sumOf { it.whole }
        if (all <= 0) return null
        val least = all * CallNode.MIN_SHARE
        val parts = groups.entries.sortedByDescending { it.value.whole }.map { (key, node) ->
            // Without any frame: the thread was seen, and not where.
            val unknown = if (node.own > 0) listOf(CallNode(CallNode.REST, rounded(node.own))) else emptyList()
            GroupCalls(key.first, key.second, callsOf(node, least, index, fileOf) + unknown)
        }
        return CallTree(kind, source, samples, parts)
    }

    private fun callsOf(node: Node, least: Double, index: FrameIndex, fileOf: (String) -> String?): List<CallNode> {
        val (large, small) = node.calls.values.sortedByDescending { it.whole }.partition { it.whole >= least }
        val kept = large.map {
            val frame = it.frame.copy(line = it.line, file = it.frame.file ?: fileOf(it.frame.type))
            CallNode(index.indexOf(frame), rounded(it.own), callsOf(it, least, index, fileOf))
        }
        val rest = small.sumOf { it.whole }
        return if (rest > 0) kept + CallNode(CallNode.REST, rounded(rest)) else kept
    }

    /** More digits would double the size of the file, and say nothing. */
    private fun rounded(value: Double) = Math.round(value * 1e3) / 1e3

    private class Node(val frame: Frame) {
        val calls = LinkedHashMap<Pair<String, String>, Node>()
        val lines = HashMap<Int?, Double>()
        var own = 0.0
        var whole = 0.0

        val line: Int? get() = lines.maxByOrNull { it.value }?.key

        fun called(frame: Frame): Node = calls.getOrPut(frame.type to frame.method) { Node(frame) }
    }
}
