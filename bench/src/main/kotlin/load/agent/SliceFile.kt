package threadgauge.load.agent

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.bufferedReader
import kotlin.io.path.readBytes
import kotlinx.serialization.SerializationException
import threadgauge.model.TextEncoding
import threadgauge.model.utf8Text

/**
 * The messages of one agent about its slice of a load, as a file: the order on the first line, then one message per
 * line, in the order of their arrival. It is complete if it ends with [AgentMessage.Done].
 */
class SliceFile private constructor(val path: Path, val order: WorkOrder, val messages: List<AgentMessage>) {
    val done get() = messages.last() as AgentMessage.Done

    companion object {
        fun nameOf(order: WorkOrder) = "slice-${order.slice}-of-${order.slices}.jsonl"

        /** Throws [BadSlices] if the file is no complete slice. */
        fun read(path: Path): SliceFile = try {
            path.bufferedReader().useLines { lines ->
                val all = lines.iterator()
                if (!all.hasNext()) throw BadSlices("$path is empty")
                val order = agentJson.decodeFromString(WorkOrder.serializer(), all.next())
                val messages =
                    all.asSequence().map { agentJson.decodeFromString(AgentMessage.serializer(), it) }.toList()
                if (messages.lastOrNull() !is AgentMessage.Done) {
                    throw BadSlices("$path is cut off: its agent did not come to the end")
                }
                SliceFile(path, order, messages)
            }
        } catch (wrong: SerializationException) {
            throw BadSlices("$path is not what an agent wrote: ${wrong.message?.lineSequence()?.first()}")
        } catch (denied: IOException) {
            throw BadSlices("$path cannot be read: ${denied.message}")
        }
    }
}

/** Reads a work order from a JSON file. Throws [BadSlices]. */
fun readOrder(path: Path): WorkOrder = try {
    agentJson.decodeFromString(WorkOrder.serializer(), textOf(path)).also(::verify)
} catch (wrong: SerializationException) {
    throw BadSlices("$path is no work order: ${wrong.message?.lineSequence()?.first()}")
} catch (denied: IOException) {
    throw BadSlices("$path cannot be read: ${denied.message}")
}

/**
 * The text of [path]. Orders are written by hand, so an editor may have added a byte-order mark, or chosen another
 * encoding.
 */
private fun textOf(path: Path): String {
    val bytes = path.readBytes()
    val encoding = TextEncoding.otherThanUtf8(bytes)
    if (encoding != null) throw BadSlices("$path is ${encoding.words}. ${encoding.remedy}")
    return utf8Text(bytes) ?: throw BadSlices("$path is not UTF-8")
}

/** One line of JSON, as an agent reads it and a [SliceFile] begins. */
fun lineOf(order: WorkOrder): String = agentJson.encodeToString(WorkOrder.serializer(), order)

/** One line of JSON, as an agent writes it. */
fun lineOf(message: AgentMessage): String = agentJson.encodeToString(AgentMessage.serializer(), message)

/**
 * Checks that [files] are all slices of one load, each once. Throws [BadSlices] that names what is missing, given
 * twice, or of another load.
 */
fun verifyWhole(files: List<SliceFile>) {
    val first = files.firstOrNull() ?: throw BadSlices("there is no slice to merge")
    val load = first.order.whole()
    files.firstOrNull { it.order.whole() != load }
        ?.let { throw BadSlices("${it.path} is of another load than ${first.path}") }
    val present = files.groupBy { it.order.slice }
    present.values.firstOrNull { it.size > 1 }
        ?.let { (one, other) -> throw BadSlices("${one.path} and ${other.path} are the same slice") }
    val missing = (0..<first.order.slices).filter { it !in present }
    if (missing.isNotEmpty()) {
        throw BadSlices("of ${first.order.slices} slices these are missing: ${missing.joinToString()}")
    }
}

/** The order without the fields that differ between its slices. */
private fun WorkOrder.whole() = copy(id = 0, slice = 0, startAtEpochNanos = null)

private fun verify(order: WorkOrder) {
    if (order.targets.isEmpty()) throw BadSlices("the order names no target")
    if (order.slice !in 0..<order.slices) {
        throw BadSlices("there is no slice ${order.slice} of ${order.slices}; slices count from 0")
    }
}

/** Orders or slices that cannot be used. The message is for the user. */
class BadSlices(message: String) : Exception(message)
