package threadgauge.server.work

/** Arguments such as `--port=8080` by name, for stacks whose framework does not read a command line itself. Other words are mistakes. */
fun optionsOf(arguments: Array<String>): Map<String, String> = arguments.associate { word ->
    require(word.startsWith("--") && '=' in word) { "expected --name=value, got $word" }
    word.removePrefix("--").substringBefore('=') to word.substringAfter('=')
}
