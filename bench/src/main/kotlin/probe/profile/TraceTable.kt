package threadgauge.probe.profile

import threadgauge.model.profile.Frame
import threadgauge.model.profile.Trace

/** Stack traces without duplicates. Belongs to one thread. */
internal class TraceTable {
    private val indices = HashMap<Trace, Int>()
    private val traces = ArrayList<Trace>()

    /** Source files by the name of their class, as far as dumps have shown them: events of JFR do not have them. */
    private val files = HashMap<String, String>()

    /** Index of the trace with these [frames]; null without any, and once there are [MAX_TRACES]. */
    fun indexOf(frames: List<Frame>): Int? {
        if (frames.isEmpty()) return null
        val trace = Trace(frames)
        indices[trace]?.let { return it }
        if (traces.size == MAX_TRACES) return null
        traces += trace
        return (traces.size - 1).also { indices[trace] = it }
    }

    /** Keeps in mind that [type] is from [file]. */
    fun learn(type: String, file: String) {
        files.putIfAbsent(type, file)
    }

    /**
     * The file that [type] is from: the one seen, of the class around it if need be. All of a class are from one file.
     * Null where it was not seen.
     */
    fun fileOf(type: String): String? = files[type] ?: files[type.substringBefore('$')]

    operator fun get(index: Int): Trace = traces[index]

    companion object {
        /** So that a service whose every trace is different does not fill the memory. */
        const val MAX_TRACES = 20_000
    }
}

/** The name of a class without the address that a hidden one has: `shop.Shop$$Lambda`. It differs in every process. */
internal fun plainType(name: String): String = HIDDEN.replace(name, "")

/** `Shop$$Lambda/0x00007f8c`, `Shop$$Lambda.0x00007f8c` or `Shop$$Lambda+0x00007f8c/12`. */
private val HIDDEN = Regex("""[/.+]0x[0-9a-f]+(/[0-9]+)?""")
