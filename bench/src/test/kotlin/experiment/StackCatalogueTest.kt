package threadgauge.experiment

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack

class StackCatalogueTest {
    @Test
    fun `a stack is read with its command, its folder and its module`(): Unit = withServers("spring-mvc" to SPRING) { root ->
        val folder = root.toAbsolutePath().normalize().resolve("servers/spring-mvc")
        StackCatalogue.read(root).stacks shouldContainExactly listOf(
            Stack(
                name = "spring-mvc",
                title = "Spring MVC on Tomcat, platform threads",
                model = ConcurrencyModel.PLATFORM_THREADS,
                setting = "as shipped",
                command = listOf(
                    "{java}", "-Xmx1g", "-jar", "$folder/target/spring-mvc.jar",
                    "--server.port={port}", "--stack.name=spring-mvc",
                ),
                folder = "$folder",
                module = "servers/spring-mvc",
            ),
        )
    }

    @Test
    fun `folders are read in the order of their names, and those without stacks are passed over`() {
        val catalogue = withServers("z" to stack("last"), "a" to stack("first")) { root ->
            root.resolve("servers/work").toFile().mkdirs()
            StackCatalogue.read(root)
        }
        catalogue.names.toList() shouldContainExactly listOf("first", "last")
        catalogue["last"]?.module shouldBe "servers/z"
        catalogue["none"] shouldBe null
    }

    @Test
    fun `mistakes of all files are reported together`() {
        val bad = stack("b").replace("event-loop", "eventloop").replace("as shipped", "tunned").replace("{port}", "{prt}")
        val wrong = withServers("a" to stack("a"), "b" to bad, "c" to stack("a"), "d" to "- [") { root ->
            shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }
        }
        wrong.mistakes.map { "${it.file.substringAfter("servers/")}:${it.line}:${it.column} ${it.problem.substringBefore(" /")}" }
            .map { it.replace(Regex("YAML: .*"), "YAML") } shouldContainExactly listOf(
            "b/stacks.yaml:4:12 model cannot be \"eventloop\"",
            "b/stacks.yaml:5:14 setting cannot be \"tunned\"",
            "b/stacks.yaml:7:16 nothing tells this stack its port",
            "c/stacks.yaml:2:11 a stack in",
            "d/stacks.yaml:1:4 this is not YAML",
        )
    }

    @Test
    fun `a stack that lacks a key or leaves its folder is refused`() {
        val wrong = withServers("a" to "stacks:\n  - {name: a, jar: /opt/a.jar, arguments: [\"{port}\"]}") { root ->
            shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }
        }
        wrong.mistakes.map { it.problem } shouldContainExactly listOf(
            "a stack has no \"title\"", "a stack has no \"model\"", "a stack has no \"setting\"",
            "\"/opt/a.jar\" is not a jar within this folder",
        )
    }

    @Test
    fun `a root without servers is named`() {
        withServers { root -> shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }.message } shouldContain
            "no folder here holds a stacks.yaml"
        withServers("a" to "") { root -> shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }.message } shouldContain
            "the file says nothing"
    }

    private fun stack(name: String) = """
        stacks:
          - name: $name
            title: A server
            model: event-loop
            setting: as shipped
            jar: target/a.jar
            arguments: ["--port={port}"]
    """.trimIndent()

    private companion object {
        val SPRING = """
            stacks:
              - name: spring-mvc
                title: Spring MVC on Tomcat, platform threads
                model: platform-threads
                setting: as shipped
                jar: target/spring-mvc.jar
                java: [-Xmx1g]
                arguments: ["--server.port={port}", "--stack.name=spring-mvc"]
        """.trimIndent()
    }
}
