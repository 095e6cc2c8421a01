package threadgauge.contract.check

import threadgauge.contract.client.Broken
import threadgauge.contract.client.Visit

/**
 * One rule of the contract.
 *
 * @property sentence the rule, in words that stand alone; also names the check where a stack is exempted from it
 * @property endpoint beginning of the paths it is about, whole parts of a path
 */
class Check internal constructor(
    val sentence: String,
    val endpoint: String,
    private val rule: Visit.() -> Unit,
) {
    fun concerns(path: String): Boolean = path.substringBefore('?').let { it == endpoint || it.startsWith("$endpoint/") }

    /** Null when the server keeps the rule, otherwise a sentence that says what was asked, expected and got. */
    fun violation(visit: Visit): String? = try {
        visit.rule()
        null
    } catch (broken: Broken) {
        "$sentence: ${broken.message}"
    }

    /** The same rule, and [more] must hold afterwards. */
    internal fun andThen(more: Visit.() -> Unit) = Check(sentence, endpoint) {
        rule()
        more()
    }

    override fun toString() = sentence
}
