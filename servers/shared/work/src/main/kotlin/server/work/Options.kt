package threadgauge.server.work

/**
 * Arguments such as `--port=8080` by name, for stacks whose framework does not parse a command line. Throws
 * [IllegalArgumentException] for other arguments.
 */
fun optionsOf(arguments: Array<String>): Map<String, String> = arguments.associate { word ->
    require(word.startsWith("--") && '=' in word) { "expected --name=value, got $word" }
    word.removePrefix("--").substringBefore('=') to word.substringAfter('=')
}
