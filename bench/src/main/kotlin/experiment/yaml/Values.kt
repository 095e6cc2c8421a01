package threadgauge.experiment.yaml


/**
 * Readers of single values. Each reports what is wrong and returns null then.
 * [Broken] nodes were reported when the tree was built; about them they keep silent.
 */
internal fun Reading.scalar(node: Node, what: String, example: String): String? = when {
    node is Broken -> null
    node is Scalar && !node.isEmpty && node.text.isNotBlank() -> node.text
    node is Scalar -> nothing(node, "$what has no value", "Write $example.")
    else -> nothing(node, "$what must be a single value, not ${node.kind}", "Write $example.")
}

/** A text for people: one line, not empty, at most [longest] characters. */
internal fun Reading.words(node: Node, what: String, example: String, longest: Int): String? {
    val text = scalar(node, what, example) ?: return null
    return when {
        text.codePoints().anyMatch(::isUnprintable) ->
            nothing(node, "$what must be a single line of plain text", "Write $example.")
        text.length > longest -> nothing(node, "$what is longer than $longest characters", "Say it more briefly.")
        else -> text.trim()
    }
}

/** A name in lower case with hyphens: it becomes part of file names and of commands. */
internal fun Reading.name(node: Node, what: String): String? {
    val text = scalar(node, what, "a short name such as checkout-burst") ?: return null
    if (text.length <= LONGEST_NAME && NAME.matches(text)) return text
    val better = slug(text).take(LONGEST_NAME).trim('-').ifEmpty { "checkout-burst" }
    val why = if (text.length > LONGEST_NAME) "longer than $LONGEST_NAME characters" else "not in lower case with hyphens"
    return nothing(node, "the name ${quoted(text)} is $why", "Write $better, for example.")
}

/** A whole number within [range]. */
internal fun Reading.wholeNumber(node: Node, what: String, range: IntRange): Int? {
    val remedy = "Write a whole number from ${range.first} to ${range.last}."
    val text = scalar(node, what, "a whole number from ${range.first} to ${range.last}") ?: return null
    if (!WHOLE.matches(text)) return nothing(node, "${quoted(text)} is not a whole number", remedy)
    val number = text.take(MOST_DIGITS).toLong()
    return when {
        number < range.first -> nothing(node, "$what cannot be ${quoted(text).trim('"')}: less than ${range.first}", remedy)
        number > range.last -> nothing(node, "$what cannot be ${quoted(text).trim('"')}: more than ${range.last}", remedy)
        else -> number.toInt()
    }
}

/** A number with a unit, from [least] to [most], in the base unit of [measure]. */
internal fun Reading.measure(node: Node, what: String, measure: Measure, least: String, most: String): Double? {
    val text = scalar(node, what, "something from $least to $most") ?: return null
    return when (val parsed = measure.parseWithin(text, least, most)) {
        is Parsed.Good -> parsed.value
        is Parsed.Bad -> nothing(node, "$what: ${parsed.problem}", parsed.remedy)
    }
}

/** A duration in nanoseconds. */
internal fun Reading.nanos(node: Node, what: String, least: String, most: String): Long? =
    measure(node, what, Measure.duration, least, most)?.let(Math::round)

/** One of the words in [choices]. */
internal fun <T> Reading.choice(node: Node, what: String, choices: Map<String, T>): T? {
    val text = scalar(node, what, "one of ${choices.keys.joinToString(", ")}") ?: return null
    return choices[text] ?: nothing(node, "$what cannot be ${quoted(text)}", nearest(text, choices.keys))
}

internal fun Reading.yesOrNo(node: Node, what: String): Boolean? = choice(node, what, YES_NO)

/** A text in which everything counts: it may be empty or blank where it is quoted. */
internal fun Reading.text(node: Node, what: String, example: String): String? =
    if (node is Scalar && node.quoted) node.text else scalar(node, what, example)

/** The members of a list, or the one value that stands in place of a list of one. */
internal fun Reading.members(node: Node, what: String, example: String): List<Node>? = when {
    node is Broken -> null
    node is Items && node.items.isEmpty() -> nothing(node, "$what is an empty list", "Write $example.")
    node is Items -> node.items
    else -> listOf(node)
}

internal fun Reading.nothing(node: Node, problem: String, remedy: String): Nothing? {
    wrong(node, problem, remedy)
    return null
}

/** [text] as a name: its letters and digits in lower case, hyphens between the words. */
internal fun slug(text: String): String = text.take(200).lowercase().replace(NOT_IN_NAME, "-").trim('-')

private val YES_NO = mapOf("yes" to true, "no" to false, "true" to true, "false" to false)
private val NAME = Regex("[a-z0-9]+(-[a-z0-9]+)*")
private val NOT_IN_NAME = Regex("[^a-z0-9]+")
private val WHOLE = Regex("-?\\d+")
private const val LONGEST_NAME = 60
private const val MOST_DIGITS = 15
