package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import kotlin.io.path.readText
import org.junit.jupiter.api.Test
import threadgauge.experiment.stack.StackCatalogue
/** The page on the stacks names those that there are, and what each can be told, as their own files have it. */
class StacksGuideTest {
    private val rows = ROW.findAll(projectRoot.resolve("docs/guides/stacks.md").readText())
        .associate { row ->
            row.groupValues[1] to OPTION.findAll(row.groupValues[2]).map { it.groupValues[1] }.toList()
        }

    @Test
    fun `all stacks that serve requests are there, with the options that change how they work`() {
        val catalogue = StackCatalogue.read(projectRoot)
        val serving = catalogue.stacks.filterNot { it.sells }.map { it.name }
        rows.keys shouldContainExactlyInAnyOrder serving
        rows.forEach { (stack, options) ->
            withClue(stack) { options shouldContainExactly CHANGING.filter { it in catalogue.optionsOf(stack) } }
        }
    }

    private companion object {
        val ROW = Regex("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\| ([^|]*) ?\\| [0-9]{3} \\|$")
        val OPTION = Regex("`([a-z0-9-]+)`")
        val CHANGING = listOf("tuned", "one-event-loop", "r2dbc", "naive")
    }
}
