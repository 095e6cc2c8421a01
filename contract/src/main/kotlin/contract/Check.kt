package threadgauge.contract

/**
 * One rule of the contract.
 *
 * @property sentence the rule, in words that stand alone; also names the check where a stack is exempted from it
 * @property endpoint first part of the path it is about
 */
class Check internal constructor(
    val sentence: String,
    val endpoint: String,
    private val rule: Visit.() -> Unit,
) {
    /** Null when the server keeps the rule, otherwise a sentence that says what was asked, expected and got. */
    fun violation(visit: Visit): String? = try {
        visit.rule()
        null
    } catch (broken: Broken) {
        "$sentence: ${broken.message}"
    }

    override fun toString() = sentence
}

/** Ends a check. [message] says what was asked, what was expected and what came. */
internal class Broken(message: String) : RuntimeException(message, null, false, false)
