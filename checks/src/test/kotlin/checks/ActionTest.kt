package threadgauge.checks

import io.kotest.assertions.throwables.shouldThrowAny
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import kotlin.io.path.readText
import org.junit.jupiter.api.Test

/** The action as GitHub would read it, and the guide that shows it. */
class ActionTest {
    private val text = projectRoot.resolve("action.yml").readText()
    private val script = CiJob.script.readText()
    private val guide = projectRoot.resolve("docs/guides/in-ci.md").readText()
    private val action = Action(text, script)

    @Test
    fun `the action uses what there is, and all of it`() {
        action.problems().shouldBeEmpty()
        yaml(text).map()["runs"].map()["using"] shouldBe "composite"
        action.inputs shouldContainAll listOf("target", "experiment", "baseline", "save-as", "comment", "token")
    }

    @Test
    fun `each mistake in the action is found`() {
        for ((change, problem) in mapOf(
            ("inputs.goals " to "inputs.goal ") to "there is no input goal",
            ("THREADGAUGE_CI_GOALS:" to "THREADGAUGE_CI_GOAL:") to "THREADGAUGE_CI_GOAL is given and not read",
            ("CI_GOALS: \${{ inputs.goals" to "CI_GOALS: \${{ inputs.gate") to
                "THREADGAUGE_CI_GOALS is not its input",
            ("  goals:\n    description" to "  goals:\n    default") to "goals is not explained",
            ("inputs:\n" to "inputs:\n  more:\n    description: More.\n") to "more is not used",
            ("/ci/post-comment" to "/ci/none") to "ci/none cannot be started",
            ("exec \"\$GITHUB_ACTION_PATH/ci/threadgauge-ci\"" to "\${{ github.action_path }}/ci/threadgauge-ci") to
                "Measure has an expression in its script",
            ("exec \"\$GITHUB_ACTION_PATH/ci/threadgauge-ci\"" to "\$GITHUB_ACTION_PATH/ci/threadgauge-ci") to
                "Measure does not pass signals on",
            ("      shell: bash\n" to "") to "Measure has no shell",
            ("      env:\n" to "      env:\n        GH_TOKEN: \${{ inputs.token }}\n") to "Measure gets the token",
            ("id: measure" to "id: measured") to "there is no step measure",
            ("outputs.record" to "outputs.records") to "records is never written",
            ("  verdict:\n" to "  result:\n") to "verdict is no output",
        )) {
            withClue(problem) {
                val changed = text.replaceFirst(change.first, change.second)
                changed shouldNotBe text
                Action(changed, script).problems() shouldContain problem
            }
        }
        Action(text, script.replace("CI_GOALS-", "CI_AIMS-")).problems() shouldContain
            "THREADGAUGE_CI_AIMS is read and not given"
    }

    @Test
    fun `jobs of the guide can be read, and give the action inputs that it has`() {
        val blocks = yamlBlocks(guide)
        blocks.map(::stepsIn).count { it.isNotEmpty() } shouldBe 3
        val uses = blocks.flatMap(::stepsIn).map { it["uses"] }
        uses.filter { it == "OWNER/threadgauge@main" } shouldHaveAtLeastSize 2
        blocks.flatMap { action.problemsOfUse(stepsIn(it)) }.shouldBeEmpty()
        blocks.flatMap(::stepsIn).filter { ("uses" in it) == ("run" in it) }.shouldBeEmpty()
        blocks.first().map().keys shouldContainAll listOf("on", "permissions", "jobs")
    }

    @Test
    fun `a mistake in a job of the guide is found`() {
        val first = yamlBlocks(guide.replace("          goals:", "          aims:")).first()
        action.problemsOfUse(stepsIn(first)) shouldContain "there is no input aims"
        shouldThrowAny { yamlBlocks(guide.replace("jobs:\n", "jobs: [\n")) }
        val output = yaml("- {uses: OWNER/threadgauge@v1, id: it}\n- {run: 'echo \${{ steps.it.outputs.result }}'}\n")
        action.problemsOfUse(stepsIn(output)) shouldContain "there is no output result"
    }

    @Test
    fun `inputs and outputs that the guide explains are there`() {
        val rows = guide.substringAfter("| input |").substringBefore("\n\n").lines().drop(2)
        val explained = rows.flatMap { row -> NAME.findAll(row.split('|')[1]).map { it.groupValues[1] } }
        explained shouldHaveAtLeastSize 10
        explained.filterNot { it in action.inputs }.shouldBeEmpty()
        val outputs = guide.substringAfter("Its outputs are ").substringBefore("\n\n")
        for (output in action.outputs) outputs.contains("`$output`") shouldBe true
    }

    private companion object {
        val NAME = Regex("`([a-z-]+)`")
    }
}
