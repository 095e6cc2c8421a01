package threadgauge.contract.check

import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation

/**
 * One rule of the contract.
 *
 * @property sentence the rule, in words that stand alone. It also names the check where a stack is exempted from it.
 * @property endpoint beginning of the paths that the rule is about, in whole parts of a path
 */
class Check internal constructor(
    val sentence: String,
    val endpoint: String,
    private val rule: ContractClient.() -> Unit,
) {
    fun concerns(path: String): Boolean =
        path.substringBefore('?').let { it == endpoint || it.startsWith("$endpoint/") }

    /** Null when the server keeps the rule. Otherwise a sentence: the request, the expected answer, the actual one. */
    fun violation(client: ContractClient): String? = try {
        client.rule()
        null
    } catch (violation: ContractViolation) {
        "$sentence: ${violation.message}"
    }

    /** The same rule, and [more] must hold afterwards. */
    internal fun andThen(more: ContractClient.() -> Unit) = Check(sentence, endpoint) {
        rule()
        more()
    }

    override fun toString() = sentence
}
