package threadgauge.probe.profile.dump

import threadgauge.model.profile.Frame
import threadgauge.model.profile.Trace
import threadgauge.probe.profile.plainType

/** The frames of a trace as [StackTraceElement] has them. */
internal fun framesOf(stack: Array<StackTraceElement>): List<Frame> = stack.take(Trace.MAX_FRAMES).map {
    Frame(plainType(it.className), it.methodName, it.lineNumber.takeIf { line -> line > 0 }, it.fileName)
}

/**
 * The frame in a line of a dump, as [StackTraceElement.toString] makes it: `loader/module@version/type.method(source)`,
 * where source is `File.java:12`, `File.java`, `Native Method` or `Unknown Source`. Null where it is none.
 */
internal fun frameIn(line: String): Frame? {
    val bracket = line.lastIndexOf('(')
    if (bracket < 0 || !line.endsWith(')')) return null
    val name = plainType(line.substring(0, bracket)).substringAfterLast('/')
    val source = line.substring(bracket + 1, line.length - 1)
    val type = name.substringBeforeLast('.', "")
    if (type.isEmpty()) return null
    val file = source.substringBefore(':').takeIf { it.isNotEmpty() && it !in NO_FILES }
    return Frame(type, name.substringAfterLast('.'), source.substringAfter(':', "").toIntOrNull(), file)
}

/** `byte[]` for `[B`, `java.lang.String[][]` for `[[Ljava.lang.String;`; any other name as it is. */
internal fun readableType(name: String): String {
    val dimensions = name.takeWhile { it == '[' }.length
    if (dimensions == 0) return name
    val element = name.drop(dimensions)
    val type = PRIMITIVES[element] ?: element.removePrefix("L").removeSuffix(";")
    return type + "[]".repeat(dimensions)
}

private val PRIMITIVES = mapOf(
    "Z" to "boolean", "B" to "byte", "C" to "char", "S" to "short", "I" to "int", "J" to "long", "F" to "float",
    "D" to "double",
)

/** What [StackTraceElement.toString] prints in place of a file. */
private val NO_FILES = setOf("Native Method", "Unknown Source")
