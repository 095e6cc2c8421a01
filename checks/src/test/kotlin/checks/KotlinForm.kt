package threadgauge.checks

import com.pinterest.ktlint.rule.engine.api.Code
import com.pinterest.ktlint.rule.engine.api.KtLintParseException
import com.pinterest.ktlint.rule.engine.api.KtLintRuleEngine
import com.pinterest.ktlint.rule.engine.api.LintError
import com.pinterest.ktlint.rule.engine.core.api.AutocorrectDecision.ALLOW_AUTOCORRECT
import com.pinterest.ktlint.ruleset.standard.StandardRuleSetProvider

/**
 * The form of Kotlin sources: line length, indents, blanks, imports, names. The rules are ktlint's; `.editorconfig`
 * says which of them count. Safe to use from several threads.
 */
internal class KotlinForm {
    private val engine = KtLintRuleEngine(StandardRuleSetProvider().getRuleProviders())

    /** One line for each offence in [file], whose path decides which `.editorconfig` counts. */
    fun offences(file: ProjectFile): List<String> = located(file) {
        buildList { engine.lint(code(file)) { add(it) } }
    }

    /** The text of [file] with everything corrected that a program can correct, and the offences that remain. */
    fun corrected(file: ProjectFile): Pair<String, List<String>> {
        var text = file.text
        val rest = located(file) {
            buildList {
                text = engine.format(code(file)) { error ->
                    if (!error.canBeAutoCorrected) add(error)
                    ALLOW_AUTOCORRECT
                }
            }
        }
        return text to rest
    }

    private fun code(file: ProjectFile) =
        Code.fromSnippetWithPath(file.text, projectRoot.resolve(file.path))

    private fun located(file: ProjectFile, find: () -> List<LintError>): List<String> = try {
        find().distinct().map { "${file.path}:${it.line}: ${it.detail} (${it.ruleId.value})" }
    } catch (broken: KtLintParseException) {
        listOf("${file.path}:${broken.line}: is no Kotlin: ${broken.message}")
    }
}
