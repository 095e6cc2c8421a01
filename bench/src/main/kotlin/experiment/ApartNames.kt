package threadgauge.experiment

import threadgauge.model.Stack

/**
 * [stacks] with names and titles that tell them apart, in their order. Those of [given] that are not null are taken. Where two
 * would bear the same, the second is called `shop-b`, and titles tell what is in one command and not in the others. A target that
 * takes part twice is "shop" and "shop, again".
 */
internal fun apart(stacks: List<Stack>, given: List<String?>): List<Stack> {
    val taken = given.filterNotNull().mapTo(HashSet()) { slug(it) }
    return stacks.mapIndexed { index, stack ->
        val wish = given.getOrNull(index)
        val name = wish?.let(::slug) ?: free(stack.name, taken)
        val knownAs = if (stack.keepsContract && name != stack.name) stack.name else null
        stack.copy(name = name, title = wish?.trim() ?: titleAmong(stack, index, stacks), knownAs = knownAs)
    }
}

private fun free(name: String, taken: MutableSet<String>): String {
    val short = name.take(LONGEST_NAME).trimEnd('-')
    return (listOf("") + LETTERS.map { "-$it" }).map { short + it }.first(taken::add)
}

private fun titleAmong(stack: Stack, index: Int, stacks: List<Stack>): String {
    val namesakes = stacks.withIndex().filter { (at, other) -> at != index && other.title == stack.title }
    if (namesakes.isEmpty()) return stack.title
    val same = namesakes.count { (at, other) -> at < index && words(other) == words(stack) }
    if (same > 0) return stack.title + if (same == 1) ", again" else ", ${same + 1} times"
    val common = namesakes.map { words(it.value).toSet() }.reduce { all, some -> all intersect some }
    val own = words(stack).filter { it !in common }.joinToString(" ") { it.removePrefix("-D").trimStart('-') }
    return if (own.isEmpty() || own.length > LONGEST_DIFFERENCE) stack.title else "${stack.title} ($own)"
}

/** All that makes one start of a service unlike another. */
private fun words(stack: Stack) = stack.environment.map { "${it.key}=${it.value}" } + stack.command + listOfNotNull(stack.url)

/** Not numbers, because repeats are counted: "shop-2" could be one of both. */
private val LETTERS = 'b'..'z'
private const val LONGEST_NAME = 40
private const val LONGEST_DIFFERENCE = 60
