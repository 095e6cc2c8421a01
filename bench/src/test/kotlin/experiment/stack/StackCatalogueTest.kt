package threadgauge.experiment.stack

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import threadgauge.experiment.mistakes
import threadgauge.experiment.withServers
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.ServiceKind
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.isNeededFor
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Login
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls
import threadgauge.model.serving
import threadgauge.plan.planRun

class StackCatalogueTest {
    @Test
    fun `a stack is read with its command, its folder and its module`(): Unit =
        withServers("spring-mvc" to SPRING) { root ->
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
    fun `modules are found in folders that group them, and none is looked for within a module`() {
        val files =
            arrayOf("group/z" to stack("z"), "group/a/b" to stack("b"), "pom/x" to stack("hidden"), "c" to stack("c"))
        val catalogue = withServers(*files, "c/inside" to stack("inside")) { root ->
            root.resolve("servers/pom/pom.xml").writeText("<project/>")
            StackCatalogue.read(root)
        }
        catalogue.stacks.map { it.module } shouldContainExactly listOf(
            "servers/c", "servers/group/a/b", "servers/group/z",
        )
    }

    @Test
    fun `mistakes of all files are reported together`() {
        val bad =
            stack("b").replace("event-loop", "eventloop").replace("as shipped", "tunned").replace("{port}", "{prt}")
        val wrong = withServers("a" to stack("a"), "b" to bad, "c" to stack("a"), "d" to "- [") { root ->
            shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }
        }
        wrong.mistakes.map {
            "${it.file.substringAfter("servers/")}:${it.line}:${it.column} ${it.problem.substringBefore(" /")}"
        }
            .map { it.replace(Regex("YAML: .*"), "YAML") } shouldContainExactly listOf(
            "b/stacks.yaml:4:12 model cannot be \"eventloop\"",
            "b/stacks.yaml:5:14 setting cannot be \"tunned\"",
            "b/stacks.yaml:7:16 this stack does not get its port",
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
            "\"/opt/a.jar\" is not a jar within this project",
        )
    }

    @Test
    fun `options change the command, the title and the name, and are put in the order of the file`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS) { root ->
            val catalogue = StackCatalogue.read(root)
            val folder = root.toAbsolutePath().normalize().resolve("servers")
            val both = catalogue["spring-mvc + gzip+tuned"].shouldNotBeNull()
            both.name shouldBe "spring-mvc+tuned+gzip"
            both.title shouldBe "Spring MVC on Tomcat, platform threads, tuned, gzip"
            both.setting shouldBe "tuned"
            both.knownAs shouldBe "spring-mvc"
            both.module shouldBe "servers/more"
            both.command shouldContainExactly listOf(
                "{java}", "-Xmx1g", "-Xss256k", "-jar", "$folder/more/target/more.jar",
                "--server.port={port}", "--stack.name=spring-mvc", "--upstream={upstream}", "--threads=400",
                "--gzip=true",
            )
            both.more shouldBe null
            catalogue["spring-mvc+tuned"]!!.command[4] shouldBe "$folder/spring-mvc/target/spring-mvc.jar"
            catalogue["spring-mvc+gzip"]!!.setting shouldBe "as shipped"
            catalogue.optionsOf("spring-mvc") shouldBe mapOf("tuned" to "tuned", "gzip" to "gzip", "plain" to "plain")
            (catalogue.find("spring-mvc+gzp") as Found.Nothing).let { it.problem to it.remedy() } shouldBe
                ("spring-mvc has no option \"gzp\"" to "Did you mean \"gzip\"? Known here: tuned, gzip, plain.")
            (catalogue.find("spring-mvc+plain+gzip") as Found.Nothing)
                .problem shouldBe "plain and gzip do not go together"
            (catalogue.find("sprin-mvc+gzip") as Found.Nothing).remedy() shouldContain "Did you mean \"spring-mvc\"?"
        }

    @Test
    fun `an option may have the stack write in one start what the others read`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS + TRAINED) { root ->
            val catalogue = StackCatalogue.read(root)
            catalogue["spring-mvc+tuned"]!!.training shouldBe null
            val stack = catalogue["spring-mvc+tuned+cached"].shouldNotBeNull()
            stack.command.filter { "archive" in it } shouldContainExactly listOf("-XX:AOTCache={archive}")
            stack.training shouldBe stack.command.map { it.replace("AOTCache=", "AOTCacheOutput=") }
            // Of the edition that is started.
            val fuller = stack.serving(listOf(Request(path = "/fanout/7")))
            fuller.training shouldBe fuller.command.map { it.replace("AOTCache=", "AOTCacheOutput=") }
            fuller.training!!.any { "more.jar" in it } shouldBe true
        }

    @Test
    fun `what is written must be read`() {
        val wrong = listOf(
            TRAINED.replace("Output={archive}", "Output=/tmp/x"), TRAINED.replace(
                "AOTCache={archive}", "AOTCache=/tmp/x",
            ),
        ).map { text ->
            withServers("spring-mvc" to SPRING + OPTIONS + text) { root ->
                shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }
            }
        }
        wrong.forEach { it.mistakes.single().problem shouldContain "must both name {archive}" }
    }

    @Test
    fun `the fuller edition is taken where a request needs it, and nowhere else`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS) { root ->
            val stack = StackCatalogue.read(root)["spring-mvc+tuned"].shouldNotBeNull()
            stack.serving(listOf(Request(path = "/hello"))).let {
                it.module shouldBe "servers/spring-mvc"
                it.more shouldBe null
            }
            stack.serving(listOf(Request(path = "/hello"), Request(path = "/fanout/virtual/10"))).let {
                it.module shouldBe "servers/more"
                it.command.takeLast(2) shouldContainExactly listOf("--upstream={upstream}", "--threads=400")
                it.more shouldBe null
            }
        }

    @Test
    fun `a fuller edition may be a jar for each stack, and say more to its Java`() {
        val options = OPTIONS.replace("more.jar", "{name}-app/run.jar").replace("arguments: [\"--up", "java: [\"-Dup")
        withServers("spring-mvc" to SPRING + options) { root ->
            val stack =
                StackCatalogue.read(root)["spring-mvc"].shouldNotBeNull().serving(listOf(Request(path = "/fanout/7")))
            stack.command.filter { "-Dup" in it } shouldContainExactly listOf("-Dupstream={upstream}")
            stack.command[stack.command.indexOf("-jar") + 1]
                .endsWith("/servers/more/target/spring-mvc-app/run.jar") shouldBe true
            stack.module shouldBe "servers/more"
        }
    }

    @Test
    fun `another packing of the plain edition is another jar, and no fuller edition`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS + PACKED) { root ->
            val catalogue = StackCatalogue.read(root)
            val stack = catalogue["spring-mvc+one-jar"].shouldNotBeNull()
            stack.command shouldContainExactly
                catalogue["spring-mvc"]!!.command.map {
                    it.replace("spring-mvc/target/spring-mvc.jar", "packed/target/one.jar")
                }
            stack.serving(listOf(Request(path = "/hello"))).run { module to more } shouldBe ("servers/packed" to null)
            (catalogue.find("spring-mvc+gzip+one-jar") as Found.Nothing)
                .problem shouldBe "one-jar and gzip do not go together"
            val situations = listOf("/hello", "/fanout/virtual/10")
                .map { Situation(it.drop(1), "", Request(path = it), Load.Burst(1)) }
            val experiment = Experiment("test", "Which?", listOf(stack.name), situations, trials = 1)
            shouldThrow<ExperimentMistakes> { planRun(experiment, listOf(stack), seed = 1) }.mistakes.single()
                .problem shouldBe
                "spring-mvc+one-jar cannot serve /fanout/virtual/10: only the fuller edition does"
        }

    @Test
    fun `services are read, and a file may hold nothing else`(): Unit =
        withServers("a" to stack("a"), "up" to SERVICE) { root ->
            val service = StackCatalogue.read(root).services.single()
            service.kind shouldBe ServiceKind.UPSTREAM
            service.module shouldBe "servers/up"
            service.command.drop(1) shouldContainExactly
                listOf(
                    "-jar", root.toAbsolutePath().normalize().resolve("servers/up/target/up.jar").toString(),
                    "--port={port}",
                )
            service.isNeededFor(listOf(Request(path = "/fanout/virtual/10")), emptyList()) shouldBe true
            service.isNeededFor(listOf(Request(path = "/hello")), emptyList()) shouldBe false
        }

    @Test
    fun `an option may say what lets a request in, and what is spoken`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS + "\n" + SPEAKING, "up" to CERTIFICATE) { root ->
            val stack = StackCatalogue.read(root)["spring-mvc+basic+http2"].shouldNotBeNull()
            stack.sends shouldBe mapOf("Authorization" to "Basic YTpi")
            stack.connections shouldBe Connections(Protocol.HTTP_2, Tls("{certificate}"))
            StackCatalogue.read(root)["spring-mvc+gzip"].shouldNotBeNull().connections shouldBe null
            StackCatalogue.read(root).services.single().kind shouldBe ServiceKind.CERTIFICATE
        }

    @Test
    fun `an option may say that cookies are kept, who must log in, and which headers it adds`(): Unit =
        withServers("spring-mvc" to SPRING + OPTIONS + "\n" + KEEPING) { root ->
            val stacks = StackCatalogue.read(root)
            stacks["spring-mvc+sessions"].shouldNotBeNull().cookies shouldBe Cookies()
            stacks["spring-mvc+sessions"].shouldNotBeNull().adds shouldBe setOf("Set-Cookie")
            stacks["spring-mvc+login"].shouldNotBeNull().cookies shouldBe Cookies(Login("/login", "user=a&password=b"))
            stacks["spring-mvc+gzip"].shouldNotBeNull().cookies shouldBe null
        }

    @Test
    fun `mistakes in options, editions and services are reported with their places`() {
        val options = """
            options:
              - {name: tuned, title: tuned, setting: tuned, changes: [{argument: "--a=1"}]}
              - {name: gzip, title: gzip, more: yes, stacks: [b], changes: [{argument: "--b=1"}]}
              - {name: tls, title: TLS, changes: [{argument: "--c=1"}], connections: {protocol: http/3, tls: yes}, sends: {a b: c}}
              - {name: jar, title: jar, changes: [{jar: ../../../x.jar}]}
            services:
              - {name: up, kind: uptream, jar: ../../../x.jar, for: [fanout]}
        """.trimIndent()
        val wrong = withServers("a" to stack("a") + "\n" + options) { root ->
            shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }
        }
        wrong.mistakes.map { "${it.line} ${it.problem}" } shouldContainExactly listOf(
            "9 a change has no \"because\"", "9 a change has no \"source\"",
            "10 there is no fuller edition in this file",
            "10 there is no stack \"b\" in this file", "11 protocol cannot be \"http/3\"",
            "11 \"a b\" is not the name of a header",
            "12 \"../../../x.jar\" is not a jar within this project", "14 kind cannot be \"uptream\"",
            "14 \"../../../x.jar\" is not a jar within this project", "14 \"fanout\" is not the beginning of a path",
        )
    }

    @Test
    fun `a stack that is tuned without a reason is refused`(): Unit =
        withServers("a" to stack("a").replace("as shipped", "tuned")) { root ->
            val wrong = shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }.mistakes.single()
            "${wrong.line} ${wrong.problem}" shouldBe "5 a stack is as shipped"
            wrong.remedy shouldContain "an option in its place"
        }

    @Test
    fun `a root without servers is named`() {
        withServers { root -> shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }.message } shouldContain
            "no folder here holds a stacks.yaml"
        withServers("a" to "") { root ->
            shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) }.message
        } shouldContain
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
        val OPTIONS = """
            more:
              jar: ../more/target/more.jar
              for: [/fanout]
              arguments: ["--upstream={upstream}"]
            options:
              - name: tuned
                title: tuned
                setting: tuned
                changes:
                  - {argument: "--threads=400", because: More requests wait than threads are there., source: "https://example.org"}
                  - {java: -Xss256k, because: A stack is never as deep., source: "https://example.org"}
              - {name: gzip, title: gzip, more: yes, changes: [{argument: "--gzip=true"}]}
              - {name: plain, title: plain, not: [gzip], changes: [{argument: "--plain=true"}]}
        """.trimIndent()
        val TRAINED = """
            |
            |  - name: cached
            |    title: cached
            |    setting: tuned
            |    training: ["-XX:AOTCacheOutput={archive}"]
            |    changes: [{java: "-XX:AOTCache={archive}", because: It need not do it again., source: "https://example.org"}]
        """.trimMargin()
        val PACKED = """
            |
            |  - {name: one-jar, title: one jar, changes: [{jar: ../packed/target/one.jar}]}
        """.trimMargin()
        val SPEAKING = """
            |  - {name: basic, title: basic, changes: [{argument: "--basic=true"}], sends: {Authorization: Basic YTpi}}
            |  - name: http2
            |    title: HTTP/2
            |    changes: [{argument: "--http2=true"}]
            |    connections: {protocol: http/2, tls: {authorities: "{certificate}"}}
        """.trimMargin()
        val KEEPING = """
            |  - {name: sessions, title: sessions, changes: [{argument: "--s=1"}], cookies: yes, adds: ["Set-Cookie"]}
            |  - {name: login, title: login, changes: [{argument: "--l=1"}], login: {path: /login, form: "user=a&password=b"}}
        """.trimMargin()
        val CERTIFICATE = """
            services:
              - {name: certificate, kind: certificate, jar: target/certificate.jar}
        """.trimIndent()
        val SERVICE = """
            services:
              - {name: up, kind: upstream, jar: target/up.jar, for: [/fanout, /mobile], arguments: ["--port={port}"]}
        """.trimIndent()
    }
}
