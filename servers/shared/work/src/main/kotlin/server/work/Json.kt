package threadgauge.server.work

/**
 * [value] as JSON: maps in their own order, lists, texts, numbers, booleans and null.
 *
 * For the self-report, problem documents and other small answers. They are equal on all stacks, and no stack carries a
 * JSON library that its users would not expect.
 */
fun json(value: Any?): String = when (value) {
    null, is Number, is Boolean -> value.toString()
    is String -> value.asSequence().joinToString("", "\"", "\"", transform = ::escaped)
    is Map<*, *> -> value.entries.joinToString(",", "{", "}") { (name, inner) -> "${json(name)}:${json(inner)}" }
    is List<*> -> value.joinToString(",", "[", "]", transform = ::json)
    else -> error("no JSON for ${value::class}")
}

private fun escaped(char: Char): CharSequence = when {
    char == '"' || char == '\\' -> "\\$char"
    char < ' ' -> "\\u%04x".format(char.code)
    else -> char.toString()
}
