package threadgauge.experiment.stack

import threadgauge.experiment.yaml.slug
import threadgauge.model.Stack

/**
 * [stacks] with unique names and titles, in their order. Names in [given] that are not null are used. A duplicate
 * becomes `shop-b`, and its title shows the part of its command that the others do not have: `shop-b
 * (spring.threads.virtual.enabled=true)`. A target that takes part twice is `shop` and `shop-b (shop again)`.
 */
internal fun apart(stacks: List<Stack>, given: List<String?>): List<Stack> {
    val taken = given.filterNotNull().mapTo(HashSet()) { slug(it) }
    return stacks.mapIndexed { index, stack ->
        val wish = given.getOrNull(index)
        val name = wish?.let(::slug) ?: free(stack.name, taken)
        val knownAs = if (stack.keepsContract && name != stack.name) stack.name else null
        stack.copy(name = name, title = wish?.trim() ?: titleAmong(stack, name, index, stacks), knownAs = knownAs)
    }
}

private fun free(name: String, taken: MutableSet<String>): String {
    val short = name.take(MAX_NAME_LENGTH).trimEnd('-')
    return (listOf("") + LETTERS.map { "-$it" }).map { short + it }.first(taken::add)
}

private fun titleAmong(stack: Stack, name: String, index: Int, stacks: List<Stack>): String {
    val namesakes = stacks.withIndex().filter { (at, other) -> at != index && other.title == stack.title }
    if (namesakes.isEmpty()) return stack.title
    if (namesakes.any { (at, other) -> at < index && words(other) == words(stack) }) {
        return "$name (${stack.title} again)"
    }
    val common = namesakes.map { words(it.value).toSet() }.reduce { all, some -> all intersect some }
    val own = words(stack).filter { it !in common }.joinToString(" ") { it.removePrefix("-D").trimStart('-') }
    return if (own.isEmpty() || own.length > MAX_LENGTH_DIFFERENCE) name else "$name ($own)"
}

/** Everything that distinguishes starts of services. */
private fun words(stack: Stack) =
    stack.environment.map { "${it.key}=${it.value}" } + stack.command + listOfNotNull(stack.url) +
        stack.container?.run { listOf(image) + options }.orEmpty()

/** Letters instead of numbers: "shop-2" could be a trial. */
private val LETTERS = 'b'..'z'
private const val MAX_NAME_LENGTH = 40
private const val MAX_LENGTH_DIFFERENCE = 60
