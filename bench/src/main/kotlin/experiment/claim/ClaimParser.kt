package threadgauge.experiment.claim

import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Parsed
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement

/** Names for claims. A list is null where it could not be read: then any name is accepted. */
internal class ClaimNames(val catalogue: StackCatalogue, val stacks: List<String>?, val situations: List<String>?)

/**
 * Reads one line of the language of claims:
 *
 * ```
 * claim     = measure "of" stack [in] sign ( value | number "x" side | side [ "x" number | "/" number ] ) [in]
 * published = measure "of" stack [in] "=" value [ ".." value ]
 * side      = [ measure "of" ] stack
 * in        = "in" situation { ("," | "and") situation }
 * ```
 *
 * One `in` is for both sides, two are for one side each; without any the claim is about every situation. The first
 * thing that is wrong is reported at its place, and null given back.
 */
internal class ClaimParser(context: ParseContext, scalar: YamlScalar, private val names: ClaimNames) {
    private val words = ClaimWords(context, scalar)
    private val named = ClaimNaming(words, names)

    fun statements(): List<Statement>? {
        val measure = named.measure() ?: return null
        val left = named.stack() ?: return null
        val leftIn = named.situations(measure) ?: return null
        val relation = relation() ?: return null
        val right = right(measure) ?: return null
        val beforeIn = words.next
        val rightIn = named.situations(measure) ?: return null
        words.next?.let { return words.expected("the end of the claim", it, "Leave out what follows.") }
        if (leftIn.isEmpty() || rightIn.isEmpty()) {
            val asked =
                (leftIn + rightIn).ifEmpty { if (measure.isOfLoad) names.situations.orEmpty() else listOf(null) }
            return distinct(asked.map { statement(measure, left, it, relation, right, it) }, beforeIn)
        }
        if (right.stack == null || leftIn.size > 1 || rightIn.size > 1) {
            return words.wrong(
                beforeIn, "\"in\" stands twice", "Two are for one situation on each side. Otherwise keep one of them.",
            )
        }
        return distinct(listOf(statement(measure, left, leftIn[0], relation, right, rightIn[0])), beforeIn)
    }

    fun published(): List<PublishedFigure>? {
        val measure = named.measure() ?: return null
        val stack = named.stack() ?: return null
        val situations = named.situations(measure) ?: return null
        words.takeIf("=", "==")
            ?: return words.expected("\"=\"", words.next, "Write what was published, such as $PUBLISHED.")
        val word = words.take() ?: return words.expected("a value", null, "Write ${measure.unit.example}, for example.")
        val (low, high) = when (val parsed = measure.unit.parseRange(word.text)) {
            is Parsed.Good -> parsed.value
            is Parsed.Bad -> return words.wrong(word, parsed.problem, parsed.remedy)
        }
        words.next?.let { return words.expected("the end of the figure", it, "Leave out what follows.") }
        val asked = situations.ifEmpty { if (measure.isOfLoad) names.situations.orEmpty() else listOf(null) }
        return asked.map { PublishedFigure(measure, ClaimCell(stack, it), low, high) }
    }

    private fun relation(): Relation? {
        val word = words.take()
        return SIGNS[word?.text] ?: words.expected("one of >=, <=, >, < and =", word, "Write a sign, such as $CLAIM.")
    }

    /** A value if [stack] is null; otherwise a factor for that stack. */
    private class Right(val amount: Double, val stack: String?)

    private fun right(measure: ClaimMeasure): Right? {
        val word = words.next ?: return words.expected("a value or a stack", null, "Write $CLAIM, for example.")
        if (words.afterNext?.text in TIMES && word.text.first().isDigit()) {
            words.take()
            words.take()
            val factor = factor(word) ?: return null
            return side(measure)?.let { Right(factor, it) }
        }
        if (word.text.first().isDigit() || word.text.first() in "+-.") return value(measure, words.take()!!)
        val stack = side(measure) ?: return null
        val sign = words.takeIf("/", *TIMES.toTypedArray()) ?: return Right(1.0, stack)
        val factor = factor(words.take()) ?: return null
        return Right(if (sign.text == "/") 1 / factor else factor, stack)
    }

    private fun value(measure: ClaimMeasure, word: ClaimWord): Right? =
        when (val parsed = measure.unit.parse(word.text)) {
            is Parsed.Good -> Right(parsed.value, null)
            is Parsed.Bad -> words.wrong(word, parsed.problem, parsed.remedy)
        }

    private fun factor(word: ClaimWord?): Double? {
        val parsed = plainNumber(word?.text ?: return words.expected("a number", null, "Write $CLAIM, for example."))
        if (parsed is Parsed.Good && parsed.value > 0) return parsed.value
        return words.expected("a number above 0", word, "Write $CLAIM, for example.")
    }

    private fun side(measure: ClaimMeasure): String? {
        if (words.afterNext?.text == "of") {
            val word = words.next
            val other = named.measure() ?: return null
            if (other != measure) {
                return words.expected("\"${measure.word}\"", word, "Both sides are of the same measure.")
            }
        }
        return named.stack()
    }

    private fun statement(
        measure: ClaimMeasure, left: String, leftIn: String?, relation: Relation, right: Right, rightIn: String?,
    ): Statement {
        val bound = right.stack?.let { Bound.Times(right.amount, ClaimCell(it, rightIn)) } ?: Bound.Value(right.amount)
        return Statement(measure, ClaimCell(left, leftIn), relation, bound)
    }

    private fun distinct(statements: List<Statement>, place: ClaimWord?): List<Statement>? {
        val same = statements.firstOrNull { (it.right as? Bound.Times)?.cell == it.left } ?: return statements
        return words.wrong(
            place,
            "${same.left.stack} is compared with itself",
            "Name another stack, or another situation after \"in\".",
        )
    }

    private companion object {
        val SIGNS = mapOf(
            ">=" to Relation.AT_LEAST, "=>" to Relation.AT_LEAST, "≥" to Relation.AT_LEAST, "<=" to Relation.AT_MOST,
            "=<" to Relation.AT_MOST, "≤" to Relation.AT_MOST, ">" to Relation.MORE, "<" to Relation.LESS,
            "=" to Relation.EQUAL,
            "==" to Relation.EQUAL,
        )
        val TIMES = listOf("x", "X", "×", "*")
        const val CLAIM = "throughput of spring-webflux >= 2 x spring-mvc"
        const val PUBLISHED = "throughput of spring-mvc = 192.6/s"
    }
}
