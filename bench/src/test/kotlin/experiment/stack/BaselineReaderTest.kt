package threadgauge.experiment.stack

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.VALID
import threadgauge.experiment.mistakes
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.read
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack
import threadgauge.plan.planRun

class BaselineReaderTest {
    private fun file(stacks: String, baselines: String) =
        VALID.replace("stacks: [spring-mvc, ktor-netty]", "stacks: [$stacks]") + "\nbaselines: $baselines"

    private fun mistakes(stacks: String, baselines: String) =
        mistakesBeside(file(stacks, baselines)).map { it.substringAfter(' ').substringBefore(" | ") }

    @Test
    fun `each stack has the last baseline that stands above it`() {
        read(file("spring-mvc, spring-mvc-virtual, spring-webflux, ktor-netty", "[spring-mvc, spring-webflux]"))
            .baselines shouldBe
            mapOf("spring-mvc-virtual" to "spring-mvc", "ktor-netty" to "spring-webflux")
        read(file("spring-mvc, ktor-netty", "spring-mvc")).baselines shouldBe mapOf("ktor-netty" to "spring-mvc")
        read(VALID).baselines shouldBe emptyMap()
    }

    @Test
    fun `what has no baseline, and what nothing is compared with, is a mistake at its place`() {
        mistakes("spring-mvc, ktor-netty", "[ktor-netty]") shouldContainExactly
            listOf(
                "no baseline stands above the stack \"spring-mvc\"",
                "nothing is compared with the baseline \"ktor-netty\"",
            )
        mistakes("spring-mvc, ktor-netty", "[spring-mvc, ktor-netty]") shouldContainExactly
            listOf(
                "nothing is compared with the baseline \"spring-mvc\"",
                "nothing is compared with the baseline \"ktor-netty\"",
            )
        mistakes("spring-mvc, ktor-netty", "[spring-mvc, spring-mvc]") shouldContainExactly
            listOf("the baseline \"spring-mvc\" is named twice")
        mistakes("spring-mvc, ktor-netty", "spring-webflux") shouldContainExactly
            listOf("there is no \"spring-webflux\" among the stacks of this file")
        mistakes("spring-mvc, ktor-netty", "{a: b}").size shouldBe 1
        mistakes("spring-mvc, ktor-netty", "[]") shouldContainExactly listOf("baselines is an empty list")
        mistakes("spring-mcv, ktor-netty", "spring-mcv").size shouldBe 1
    }

    @Test
    fun `who leaves a baseline out is told so, and baselines alone are compared with each other`() {
        val experiment =
            read(file("spring-mvc, spring-mvc-virtual, spring-webflux, ktor-netty", "[spring-mvc, spring-webflux]"))
        val described =
            experiment.stacks.map { Stack(it, it, ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("x"), ".") }
        fun only(vararg names: String) =
            planRun(experiment, described, seed = 1, only = names.toList()).experiment.baselines
        only("spring-mvc", "spring-mvc-virtual") shouldBe mapOf("spring-mvc-virtual" to "spring-mvc")
        only("spring-mvc", "spring-webflux") shouldBe emptyMap()
        val mistake = shouldThrow<ExperimentMistakes> { only("spring-mvc", "ktor-netty") }.mistakes.single()
        mistake.problem shouldBe "ktor-netty is compared with its baseline spring-webflux, which is left out"
        mistake.remedy shouldBe "Add spring-webflux to --only."
    }
}
