package threadgauge.experiment.claim

import threadgauge.experiment.stack.Found
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.model.claim.ClaimMeasure

/**
 * Reads the names of measures, stacks and situations in a claim. For an unknown name the message has the nearest
 * spelling.
 */
internal class ClaimNaming(private val words: ClaimWords, private val names: ClaimNames) {
    /** A measure and the "of" after it. */
    fun measure(): ClaimMeasure? {
        val word = words.take()
        val known = ClaimMeasure.entries.map { it.word }
        val measure = ClaimMeasure.entries.firstOrNull { it.word == word?.text?.lowercase() }
            ?: return words.expected("a measure", word, nearestRemedy(word?.text.orEmpty(), known))
        words.takeIf("of") ?: return words.expected(
            "\"of\" after \"${measure.word}\"", words.next, "Write ${measure.word} of spring-mvc.",
        )
        return measure
    }

    fun stack(): String? {
        val asked = names.stacks
        val word = words.take() ?: return words.expected("a stack", null, nearestRemedy("", asked.orEmpty()))
        val name = (names.catalogue.find(word.text) as? Found.Stack)?.stack?.name ?: word.text
        if (asked == null || name in asked) return name
        return words.expected("a stack of this experiment", word, nearestRemedy(word.text, asked))
    }

    /** The situations after "in"; empty without "in". */
    fun situations(measure: ClaimMeasure): List<String>? {
        val start = words.takeIf("in") ?: return emptyList()
        if (!measure.isOfLoad) {
            val problem = "${measure.word} is one of the whole process, not of a situation"
            return words.wrong(start, problem, "Leave out \"in\" and what follows.")
        }
        val found = ArrayList<String>()
        do {
            found += situation() ?: return null
        } while (words.takeIf(",", "and") != null)
        return found.distinct()
    }

    private fun situation(): String? {
        val known = names.situations
        val word = words.take()
        if (word != null && (known == null || word.text in known)) return word.text
        return words.expected(
            "a situation of this experiment", word, nearestRemedy(word?.text.orEmpty(), known.orEmpty()),
        )
    }
}
