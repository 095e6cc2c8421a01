package threadgauge.checks

import it.krzeminski.snakeyaml.engine.kmp.api.Load
import java.nio.file.Files

/** `action.yml` with the scripts that it calls: what is in one and missing in the other. */
internal class Action(private val text: String, private val script: String) {
    private val tree = yaml(text).map()
    private val steps = tree.getValue("runs").map().getValue("steps").list().map { it.map() }
    val inputs: Set<String> = tree.getValue("inputs").map().keys
    val outputs: Set<String> = tree.getValue("outputs").map().keys

    /** A line for each mistake. */
    fun problems(): List<String> = inputProblems() + stepProblems() + outputProblems() + variableProblems()

    private fun inputProblems(): List<String> {
        val used = Regex("""inputs\.([\w-]+)""").findAll(text).map { it.groupValues[1] }.toSet()
        val unexplained = inputs.filter { tree.getValue("inputs").map().getValue(it).map()["description"] == null }
        return (used - inputs).map { "there is no input $it" } + (inputs - used).map { "$it is not used" } +
            unexplained.map { "$it is not explained" }
    }

    private fun stepProblems(): List<String> = steps.flatMap { step ->
        val name = step.getValue("name")
        val run = step["run"]?.toString().orEmpty()
        listOfNotNull(
            "$name has no shell".takeIf { run.isNotEmpty() && step["shell"] != "bash" },
            // What is put into a script is code of whoever named a branch.
            "$name has an expression in its script".takeIf { "\${{" in run },
            "$name does not pass signals on".takeIf { !run.startsWith("exec ") },
            "$name gets the token".takeIf { "inputs.token" in step["env"].toString() && name != "Comment" },
        ) + scriptsOf(run).filterNot { Files.isExecutable(projectRoot.resolve(it)) }.map { "$it cannot be started" }
    }

    private fun scriptsOf(run: String) =
        Regex("""\${'$'}GITHUB_ACTION_PATH/([\w./-]+)""").findAll(run).map { it.groupValues[1] }.toList()
            .ifEmpty { listOf("no script of ours") }

    private fun outputProblems(): List<String> {
        val ids = steps.mapNotNull { it["id"] }.toSet()
        val written = Regex(""""([a-z-]+)=\${'$'}""").findAll(script).map { it.groupValues[1] }.toSet()
        val referred = Regex("""steps\.([\w-]+)\.outputs\.([\w-]+)""").findAll(text).map { it.destructured }.toList()
        return referred.filter { (step) -> step !in ids }.map { (step) -> "there is no step $step" } +
            referred.filter { (_, output) -> output !in written }.map { (_, output) -> "$output is never written" } +
            (written - outputs).map { "$it is no output" }
    }

    /** The script reads a variable for each input, by its name, and the action gives it no other. */
    private fun variableProblems(): List<String> {
        val given = steps.flatMap { it["env"]?.map().orEmpty().entries }
            .filter { it.key.startsWith("THREADGAUGE_CI_") }.associate { it.key to it.value.toString() }
        val wrong = given.filterNot { (variable, value) -> inputs.any { isValue(variable, value, it) } }.keys
        val read = Regex("""\${'$'}\{(THREADGAUGE_CI_[A-Z_]+):?-""").findAll(script).map { it.groupValues[1] }.toSet() -
            "THREADGAUGE_CI_PROGRAM"
        return wrong.map { "$it is not its input" } + (read - given.keys).map { "$it is read and not given" } +
            (given.keys - read).map { "$it is given and not read" }
    }

    private fun isValue(variable: String, value: String, input: String) =
        variable == inputVariable(input) && value == "\${{ inputs.$input }}"

    /** What is wrong with the use of the action in the [steps] of a job. */
    fun problemsOfUse(steps: List<Map<String, Any?>>): List<String> {
        val uses = steps.filter { it["uses"].toString().matches(Regex("""OWNER/threadgauge@\S+""")) }
        val given = uses.flatMap { it["with"]?.map().orEmpty().keys }
        val ids = uses.mapNotNull { it["id"] }.toSet()
        val asked = Regex("""steps\.([\w-]+)\.outputs\.([\w-]+)""").findAll(steps.toString()).map { it.destructured }
        return (given - inputs).map { "there is no input $it" } +
            asked.filter { (id, output) -> id in ids && output !in outputs }.map { (_, it) -> "there is no output $it" }
    }
}

/** Blocks of YAML in a document, as trees. */
internal fun yamlBlocks(document: String): List<Any?> =
    Regex("```yaml\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(document).map { yaml(it.groupValues[1]) }.toList()

/** Steps of a job: of all its jobs where [tree] is a workflow, or the list that it is. */
internal fun stepsIn(tree: Any?): List<Map<String, Any?>> = when (tree) {
    is List<*> -> tree.map { it.map() }
    is Map<*, *> -> tree["jobs"]?.map().orEmpty().values.flatMap { it.map().getValue("steps").list() }.map { it.map() }
    else -> emptyList()
}

internal fun yaml(text: String): Any? = Load().loadOne(text)

@Suppress("UNCHECKED_CAST")
internal fun Any?.map() = this as Map<String, Any?>

private fun Any?.list() = this as List<*>
