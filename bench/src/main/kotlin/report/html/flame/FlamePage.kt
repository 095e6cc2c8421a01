package threadgauge.report.html.flame

import kotlinx.html.FlowContent
import kotlinx.html.script
import kotlinx.html.unsafe
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.FlameNode
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.wording.cause.label
import threadgauge.wording.cause.note
import threadgauge.wording.cause.source

/** All flame graphs of a page, which refer to one list of methods. */
internal class FlamePage(private val flames: List<StackFlames>) {
    private val graphs = flames.flatMap { it.graphs }
    val isEmpty: Boolean get() = graphs.isEmpty()

    fun of(situation: String, stack: String): List<FlameGraph> =
        flames.firstOrNull { it.situation == situation && it.stack == stack }?.graphs.orEmpty()

    /** The number by which `flames.js` finds [graph]. */
    fun indexOf(graph: FlameGraph): Int = graphs.indexOfFirst { it === graph }

    fun json(): String {
        val methods = LinkedHashMap<List<String>, Int>()
        val data = FlameData(graphs.map { GraphData(it, methods) }, methods.keys.toList())
        return Json.encodeToString(FlameData.serializer(), data)
            .replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
            .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    }
}

/** What `flames.js` draws. It stands before the script; nothing without graphs. */
internal fun FlowContent.flameData(page: FlamePage) {
    if (page.isEmpty) return
    script(type = "application/json") {
        attributes["id"] = "flame-data"
        unsafe { raw(page.json()) }
    }
}

@Serializable
private class FlameData(
    val graphs: List<GraphData>,
    /** Of each method the label, the whole name, the place in the source, and the kind of its frame. */
    val methods: List<List<String>>,
)

/** A graph as a list of numbers, because there are thousands of nodes. */
@Serializable
private class GraphData(
    /** Value of the whole graph per request, and that of the base. */
    val total: Double,
    val base: Double,
    val unit: String,
    val isDifference: Boolean,
    /**
     * Of each node, the one that calls first: its depth, its method, and its value in [STEPS] of the whole; in a
     * difference also that of the base, in as many parts of the base.
     */
    val nodes: List<Long>,
) {
    companion object {
        /** A node of a single sample is wider than a step. */
        const val STEPS = 100_000.0
    }
}

private fun GraphData(graph: FlameGraph, methods: LinkedHashMap<List<String>, Int>): GraphData {
    val total = graph.roots.sumOf { it.value }
    val base = graph.roots.sumOf { it.base }
    val nodes = ArrayList<Long>()
    fun steps(part: Double, whole: Double) = if (whole > 0) Math.round(part / whole * GraphData.STEPS) else 0
    fun add(node: FlameNode, depth: Long) {
        val method = listOf(node.label, node.note, node.source, node.kind.name.lowercase())
        nodes += listOf(depth, methods.getOrPut(method) { methods.size }.toLong(), steps(node.value, total))
        if (graph.isDifference) nodes += steps(node.base, base)
        node.calls.forEach { add(it, depth + 1) }
    }
    graph.roots.forEach { add(it, 0) }
    return GraphData(total, base, graph.kind.unit, graph.isDifference, nodes)
}
