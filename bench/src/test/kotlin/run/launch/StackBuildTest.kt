package threadgauge.run.launch

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Stack
import threadgauge.model.plan.Plan
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.wording.failure.words

@Tag("processes")
class StackBuildTest {
    private val home = Files.createTempDirectory("home")
    private val told = ArrayList<BuildEvent>()

    @AfterEach
    fun remove() {
        home.toFile().deleteRecursively()
    }

    @Test
    fun `modules that the launcher has not checked are built, each once`() {
        launcher("echo \"${'$'}@\" >asked")
        build(plan("servers/new", "servers/tour", "servers/new", null))
        home.resolve("asked").readText() shouldBe "build servers/new\n"
        told.shouldBeEmpty()
    }

    @Test
    fun `if nothing is missing, nothing is started`() {
        launcher("exit 1")
        build(plan("servers/tour", null))
        Files.delete(home.resolve("threadgauge"))
        build(plan("servers/new"))
    }

    @Test
    fun `a long build is reported, and a failed one with its reason`() {
        launcher("echo no such library; sleep 1.5; exit 70")
        shouldThrow<BuildFailed> { build(plan("servers/new")) }
            .words() shouldBe "servers/new could not be built:\nno such library"
        told.single() shouldBe BuildEvent.Building(listOf("servers/new"))
    }

    @Test
    fun `an interrupt leaves nothing running`() {
        launcher("echo ${'$'}${'$'} >pid; sleep 60")
        val cancellation = Cancellation()
        val ending = Thread.startVirtualThread {
            while (!Files.exists(home.resolve("pid"))) Thread.sleep(10)
            cancellation.cancel()
        }
        shouldThrow<Cancelled> { StackBuild(home, emptySet()).build(plan("servers/new"), cancellation) { told += it } }
        ending.join()
        ProcessHandle.of(home.resolve("pid").readText().trim().toLong()).map { it.isAlive }.orElse(false) shouldBe false
    }

    @Test
    fun `in a download nothing is built, and what did not come along is named`() {
        launcher("exit 1")
        Files.delete(home.resolve("pom.xml"))
        Files.createDirectories(home.resolve("servers/here/target"))
        build(plan("servers/here", "servers/tour"))
        shouldThrow<ModulesAbsent> { build(plan("servers/here", "servers/new")) }.words() shouldContain
            "servers/new is not in it"
    }

    private fun build(plan: Plan) = StackBuild(home, setOf("servers/tour")).build(plan, Cancellation()) { told += it }

    /** Of a tree with sources. */
    private fun launcher(script: String) {
        home.resolve("pom.xml").writeText("")
        home.resolve("threadgauge").apply { writeText("#!/bin/sh\n$script\n") }.toFile().setExecutable(true)
    }

    private fun plan(vararg modules: String?): Plan {
        val stacks = modules.mapIndexed { index, module ->
            Stack("stack-$index", "A", ConcurrencyModel.UNKNOWN, "as shipped", emptyList(), "/", module)
        }
        return Plan(
            Experiment("a", "b?", stacks.map { it.name }, emptyList()), stacks, emptyList(), seed = 1, quick = false,
        )
    }
}
