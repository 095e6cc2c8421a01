package threadgauge.experiment.yaml

import java.util.Locale

/**
 * Readers of single values. Each reports mistakes and returns null for them. [YamlError] nodes were reported when the
 * tree was built, and are ignored.
 */
internal fun ParseContext.scalar(node: YamlNode, what: String, example: String): String? = when {
    node is YamlError -> null
    node is YamlScalar && !node.isEmpty && node.text.isNotBlank() -> node.text
    node is YamlScalar -> fail(node, "$what has no value", "Write $example.")
    else -> fail(node, "$what must be a single value, not ${node.kind}", "Write $example.")
}

/** A text: one line, not empty, at most [longest] characters. */
internal fun ParseContext.words(node: YamlNode, what: String, example: String, longest: Int): String? {
    val text = scalar(node, what, example) ?: return null
    return when {
        text.codePoints().anyMatch(::isUnprintable) ->
            fail(node, "$what must be a single line of plain text", "Write $example.")
        text.length > longest -> fail(node, "$what is longer than $longest characters", "Say it more briefly.")
        else -> text.trim()
    }
}

/** A name in lower case with hyphens, for file names and commands. */
internal fun ParseContext.name(node: YamlNode, what: String): String? {
    val text = scalar(node, what, "a short name such as checkout-burst") ?: return null
    if (text.length <= MAX_NAME_LENGTH && NAME.matches(text)) return text
    val better = slug(text).take(MAX_NAME_LENGTH).trim('-').ifEmpty { "checkout-burst" }
    val why = if (text.length > MAX_NAME_LENGTH) {
        "longer than $MAX_NAME_LENGTH characters"
    } else {
        "not in lower case with hyphens"
    }
    return fail(node, "the name ${quoted(text)} is $why", "Write $better, for example.")
}

/** A whole number within [range]. */
internal fun ParseContext.wholeNumber(node: YamlNode, what: String, range: IntRange): Int? {
    val remedy = "Write a whole number from ${range.first} to ${range.last}."
    val text = scalar(node, what, "a whole number from ${range.first} to ${range.last}") ?: return null
    if (!WHOLE.matches(text)) return fail(node, "${quoted(text)} is not a whole number", remedy)
    val number = text.take(MAX_DIGITS).toLong()
    return when {
        number < range.first ->
            fail(node, "$what cannot be ${quoted(text).trim('"')}: less than ${range.first}", remedy)
        number > range.last -> fail(node, "$what cannot be ${quoted(text).trim('"')}: more than ${range.last}", remedy)
        else -> number.toInt()
    }
}

/** A number with a unit, from [least] to [most], in the base unit of [measure]. */
internal fun ParseContext.quantity(
    node: YamlNode,
    what: String,
    measure: Quantity,
    least: String,
    most: String,
): Double? {
    val text = scalar(node, what, "something from $least to $most") ?: return null
    return when (val parsed = measure.parseWithin(text, least, most)) {
        is Parsed.Good -> parsed.value
        is Parsed.Bad -> fail(node, "$what: ${parsed.problem}", parsed.remedy)
    }
}

/** A duration in nanoseconds. */
internal fun ParseContext.nanos(node: YamlNode, what: String, least: String, most: String): Long? =
    quantity(node, what, Quantity.duration, least, most)?.let(Math::round)

/** One of the words in [choices]. */
internal fun <T> ParseContext.choice(node: YamlNode, what: String, choices: Map<String, T>): T? {
    val text = scalar(node, what, "one of ${choices.keys.joinToString(", ")}") ?: return null
    return choices[text] ?: fail(node, "$what cannot be ${quoted(text)}", nearest(text, choices.keys))
}

/** Yes or no, in every spelling of a boolean of YAML 1.1: none of them can be taken for the opposite. */
internal fun ParseContext.yesOrNo(node: YamlNode, what: String): Boolean? {
    val text = scalar(node, what, "yes or no") ?: return null
    return YES_NO[text.lowercase(Locale.ROOT)] ?: fail(node, "$what cannot be ${quoted(text)}", "Write yes or no.")
}

/** A verbatim text: it may be empty or blank if it is quoted. */
internal fun ParseContext.text(node: YamlNode, what: String, example: String): String? =
    if (node is YamlScalar && node.quoted) node.text else scalar(node, what, example)

/** The members of a list; a single value is a list of one. */
internal fun ParseContext.members(node: YamlNode, what: String, example: String): List<YamlNode>? = when {
    node is YamlError -> null
    node is YamlList && node.items.isEmpty() -> fail(node, "$what is an empty list", "Write $example.")
    node is YamlList -> node.items
    else -> listOf(node)
}

internal fun ParseContext.fail(node: YamlNode, problem: String, remedy: String): Nothing? {
    wrong(node, problem, remedy)
    return null
}

/** [text] as a name: its letters and digits in lower case, hyphens between the words. */
internal fun slug(text: String): String = text.take(200).lowercase().replace(NOT_IN_NAME, "-").trim('-')

/** https://yaml.org/type/bool.html */
private val YES_NO = listOf("yes", "y", "true", "on").associateWith { true } +
    listOf("no", "n", "false", "off").associateWith { false }
private val NAME = Regex("[a-z0-9]+(-[a-z0-9]+)*")
private val NOT_IN_NAME = Regex("[^a-z0-9]+")
private val WHOLE = Regex("-?\\d+")
private const val MAX_NAME_LENGTH = 60
private const val MAX_DIGITS = 15
