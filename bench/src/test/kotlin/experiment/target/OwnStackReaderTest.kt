package threadgauge.experiment.target

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.ExperimentFile
import threadgauge.experiment.KNOWN
import threadgauge.experiment.readExperimentFile
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Container
import threadgauge.model.ServiceKind
import threadgauge.model.ServiceReady
import threadgauge.model.request.Request

class OwnStackReaderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a stack of one's own stands beside those that come along, and is named like them`() {
        val file = read(
            "[ktor-netty, {name: shop, command: \"java -version\"}, {name: there, url: \"http://localhost:8080\"}]",
            "baselines: [ktor-netty]\nclaims:\n  - throughput of shop > throughput of ktor-netty",
        )
        file.experiment.stacks shouldContainExactly listOf("ktor-netty", "shop", "there")
        file.stacks.map { it.name } shouldContainExactly listOf("ktor-netty", "shop", "there")
        file.experiment.baselines shouldContainExactly mapOf("shop" to "ktor-netty", "there" to "ktor-netty")
        val (_, shop, there) = file.stacks
        shop.command shouldContainExactly listOf("java", "-version")
        listOf(shop.title, shop.setting, shop.folder) shouldBe listOf("shop", "your own", "$folder")
        listOf(shop.isShipped, there.isShipped) shouldBe listOf(false, false)
        there.url shouldBe "http://localhost:8080"
    }

    @Test
    fun `environment, folder, port, readiness and model are as the file says`() {
        folder.resolve("build/libs").createDirectories().resolve("shop.jar").writeText("")
        val stack = read(
            """
            - name: shop
              title: The shop, on virtual threads
              model: virtual-threads
              jar: libs/shop.jar
              folder: build
              java: ["-Xmx256m"]
              arguments: ["--port={port}"]
              env: {SPRING_THREADS_VIRTUAL_ENABLED: true, EMPTY: ""}
              port: 8081
              ready: GET /actuator/health
              start-within: 3m
            """,
        ).stacks.single()
        stack.title shouldBe "The shop, on virtual threads"
        stack.model shouldBe ConcurrencyModel.VIRTUAL_THREADS
        val jar = "$folder/build/libs/shop.jar"
        stack.command shouldContainExactly listOf("{java}", "-Xmx256m", "-jar", jar, "--port={port}")
        stack.folder shouldBe "$folder/build"
        stack.environment shouldContainExactly mapOf("SPRING_THREADS_VIRTUAL_ENABLED" to "true", "EMPTY" to "")
        stack.port shouldBe 8081
        stack.ready shouldBe Request(path = "/actuator/health")
        stack.startWithinNanos shouldBe 180_000_000_000
    }

    @Test
    fun `a URL with https is asked over TLS, and other hosts only where that is allowed`() {
        val stack = read("{name: there, url: \"https://localhost:8443\"}").stacks.single()
        stack.connections.shouldNotBeNull().tls.shouldNotBeNull()
        read("{name: there, url: \"http://localhost:8080\"}").stacks.single().connections.shouldBeNull()
        mistakes("{name: there, url: \"http://example.com\"}") shouldContainExactly listOf(
            "\"example.com\" is not this machine | If you may load that server, say so: --i-may-load example.com",
        )
        read("{name: there, url: \"http://example.com\"}", mayLoad = setOf("example.com")).stacks.single().url shouldBe
            "http://example.com"
    }

    @Test
    fun `what is wrong with a stack is told at its place, all at once`() {
        mistakes("{name: ktor-netty, command: java}") shouldContainExactly listOf(
            "\"ktor-netty\" is the name of a stack that comes with Threadgauge | " +
                "Give yours another, such as my-ktor-netty.",
        )
        mistakes("{command: java}") shouldContainExactly
            listOf("a stack of your own has no \"name\" | Add a line such as name: shop")
        mistakes("{name: shop}") shouldContainExactly listOf(
            "a stack of your own has no \"command\" | Add a line such as command: \"java -jar shop.jar\", " +
                "jar: target/shop.jar, container: shop:1.4 or url: http://localhost:8080",
        )
        mistakes("{name: shop, command: java, url: \"http://localhost:1\"}").first() shouldBe
            "\"command\" and \"url\" both say what the stack is | Keep one of them."
        mistakes("{name: shop, jar: nowhere.jar}") shouldContainExactly
            listOf("there is no jar \"nowhere.jar\" | It was looked for in $folder.")
        mistakes("{name: shop, command: java, folder: nowhere}") shouldContainExactly
            listOf("there is no folder \"nowhere\" | It was looked for in $folder.")
        mistakes("{name: shop, command: java, env: {\"A B\": 1}}") shouldContainExactly listOf(
            "\"A B\" is not the name of a variable | " +
                "Names have letters, digits and underscores, such as SPRING_PROFILES_ACTIVE.",
        )
        mistakes("{name: shop, command: java, env: [A=1]}") shouldContainExactly
            listOf("env needs names with values, and this is a list | Write env: {NAME: value}")
        mistakes("{name: shop, command: java, arguments: [x]}") shouldContainExactly
            listOf("\"arguments\" goes with \"jar\" or \"container\" | Put it into the command.")
        mistakes("{name: shop, url: \"http://localhost:1\", env: {A: b}}") shouldContainExactly
            listOf("\"env\" is of no use where nothing is started | Leave it out.")
        mistakes("{name: shop, url: \"http://localhost:1/orders\"}") shouldContainExactly
            listOf("the URL has a path, and the request has one too | Leave it out here.")
        mistakes("{name: shop, command: java, port: 0}").single().substringBefore(" | ") shouldBe
            "port cannot be 0: less than 1"
        mistakes("{name: shop, comand: java}").first().substringBefore(" Known") shouldBe
            "unknown key \"comand\" in a stack of your own | Did you mean \"command\"?"
        mistakes("[{name: shop, command: java}, {name: shop, command: java}]").single().substringBefore(",") shouldBe
            "the stack \"shop\" is named twice"
    }

    @Test
    fun `whoever names a jar or a command as a stack is told how to`() {
        mistakes("[shop.jar]") shouldContainExactly listOf(
            "unknown stack \"shop.jar\" | " +
                "Write {name: shop, command: \"java -jar shop.jar\"} for a service of your own.",
        )
        mistakes("[ktor-nety]").single().substringBefore(" Known") shouldBe
            "unknown stack \"ktor-nety\" | Did you mean \"ktor-netty\"?"
    }

    @Test
    fun `services of one's own are started with what they are told, and pass variables on`() {
        val services = read(
            "{name: shop, command: java}",
            """
            services:
              - {name: db, command: "java -version {port} {folder}", passes: {DB_URL: "jdbc:x://127.0.0.1:{port}"}}
              - {name: mail, command: java, env: {MAIL_PORT: "{port}"}, ready: GET /health}
              - {name: cache, command: java, ready: tcp 6379}
            """.trimIndent(),
        ).services
        services.map { it.kind }.distinct() shouldBe listOf(ServiceKind.OWN)
        services.map { it.ready } shouldContainExactly
            listOf(ServiceReady("{port}"), ServiceReady("{port}", "/health"), ServiceReady("6379"))
        services.first().passes shouldContainExactly mapOf("DB_URL" to "jdbc:x://127.0.0.1:{port}")
        read("{name: shop, command: java}").services.shouldBeEmpty()
    }

    @Test
    fun `what is wrong with a service is told at its place, too`() {
        fun of(services: String) = mistakes("{name: shop, command: java}", "services: $services")
        of("{name: db, command: java}") shouldContainExactly listOf(
            "this service does not get a port, so nobody knows when it is ready | " +
                "Write {port} where the port belongs in \"command\" or \"env\", or ready: tcp 5432 for its own.",
        )
        of("{name: db, command: java, ready: soon}") shouldContainExactly listOf(
            "\"soon\" does not say when it is ready | " +
                "Write ready: tcp {port}, ready: tcp 5432 or ready: GET /health.",
        )
        of("{name: db, command: java, ready: tcp 1 now}").single().substringBefore(" |") shouldBe
            "\"tcp 1 now\" does not say when it is ready"
        listOf("postgresql", "agent", "agent-2").forEach { name ->
            of("{name: $name, command: java, ready: tcp 1}").single().substringBefore(" |") shouldBe
                "\"$name\" is the name of something that comes with Threadgauge"
        }
        of("{name: db, command: no-such-program, ready: tcp 1}").single().substringBefore(" is no stack") shouldBe
            "\"no-such-program\""
        of(
            "[{name: a, command: java, ready: tcp 1, passes: {X: 1}}, {name: a, command: java, ready: tcp 2, " +
                "passes: {X: 2}}]",
        ).map { it.substringBefore(" | ") } shouldContainExactly listOf("a service on line 5 is named \"a\" too")
        of(
            "[{name: a, command: java, ready: tcp 1, passes: {X: 1}}, {name: b, command: java, ready: tcp 2, " +
                "passes: {X: 2}}]",
        ) shouldContainExactly listOf("the service \"a\" passes \"X\" too | Leave it out of one of them.")
    }

    @Test
    fun `a container is an image with arguments and options, and has a network of its own with a port`() {
        val apart = read(
            "{name: shop, container: \"registry.example/shop:1.4\", port: 8080, arguments: [--debug], " +
                "options: [--memory=512m], env: {A: b}, ready: GET /health}",
        ).stacks.single()
        apart.container shouldBe Container("registry.example/shop:1.4", 8080, listOf("--memory=512m"))
        listOf(apart.command, apart.environment, apart.port) shouldBe listOf(listOf("--debug"), mapOf("A" to "b"), null)
        read("{name: shop, container: shop}").stacks.single().container shouldBe Container("shop")
        val passed = "passes: {URL: \"jdbc:postgresql://{host}:{port}/\"}"
        val db = read(
            "{name: shop, container: shop, port: 80}", "services: {name: db, container: postgres, port: 5432, $passed}",
        ).services.single()
        db.container shouldBe Container("postgres", 5432)
        db.ready shouldBe ServiceReady("{port}")
    }

    @Test
    fun `what is wrong with a container is told at its place`() {
        mistakes("{name: shop, container: \"shop 1.4\"}") shouldContainExactly
            listOf("\"shop 1.4\" is not the name of an image | Write container: shop:1.4.")
        mistakes("{name: shop, container: shop, jar: shop.jar}").first() shouldBe
            "\"jar\" and \"container\" both say what the stack is | Keep one of them."
        mistakes("{name: shop, command: java, options: [-v]}") shouldContainExactly
            listOf("\"options\" goes with \"container\" | Put it into the command.")
        mistakes("{name: shop, container: shop, folder: .}") shouldContainExactly
            listOf("a container has its own folder | Give --workdir=… in options.")
        mistakes("{name: shop, container: shop, options: [--name=x, 512m]}") shouldContainExactly listOf(
            "\"--name\" is set by Threadgauge | Leave it out.",
            "\"512m\" is no option | Write options with their values: --memory=512m.",
        )
        mistakes("{name: shop, container: shop, options: [-dp80:80, -ePATH=x]}") shouldContainExactly
            listOf("\"-dp80:80\" is set by Threadgauge | Leave it out.")
        mistakes("{name: shop, command: java}", "services: {name: db, container: postgres}") shouldContainExactly
            listOf("a service of your own has no \"port\" | Add a line such as port: 5432")
        val box = "name: db, container: postgres, port: 5432"
        for (passes in listOf("{URL: \"x://localhost:{port}/\"}", "{DB_PORT: \"{port}\"}")) {
            mistakes("{name: shop, command: java}", "services: {$box, passes: $passes}").single() shouldStartWith
                "${if ("URL" in passes) "\"URL\"" else "\"DB_PORT\""} of \"db\" does not say where its container is | "
        }
        val both = "passes: {DB_HOST: \"{host}\", DB_PORT: \"{port}\"}"
        mistakes("{name: shop, command: java}", "services: {$box, $both}").shouldBeEmpty()
        mistakes("{name: shop, command: java}", "services: {$box, ready: tcp 5432}").shouldBeEmpty()
        mistakes("{name: shop, command: java}", "services: {$box, ready: tcp 9090}") shouldContainExactly
            listOf("only the port of the container can be asked | Write tcp {port}, or the path alone.")
        val told = "services: {name: db, command: \"java {port}\", port: 1}"
        mistakes("{name: shop, command: java}", told).first() shouldBe
            "\"port\" goes with \"container\" | Put it into the command."
        val passes = "services: {name: db, command: \"java {port}\", passes: {URL: \"jdbc:x://localhost:{port}/\"}}"
        mistakes("{name: shop, container: shop, port: 80}", passes) shouldContainExactly listOf(
            "\"shop\" has a network of its own, in which \"URL\" of \"db\" names the container itself | " +
                "Write {host} for the host, and have the service listen on all addresses; or leave out \"port\" of " +
                "the container, which then shares the network of this machine.",
        )
        mistakes("{name: shop, container: shop}", passes).shouldBeEmpty()
    }

    private fun read(stacks: String, more: String = "", mayLoad: Set<String> = emptySet()): ExperimentFile {
        val listed = if (stacks.startsWith("\n")) stacks.trimIndent().prependIndent("  ").let { "\n$it" } else stacks
        val text = "name: own\nquestion: Which?\nrequest: GET /\nload: {users: 1, for: 1s}\n" +
            (if (more.startsWith("services")) "$more\nstacks: $listed\n" else "stacks: $listed\n$more\n")
        val file = folder.resolve("own.yaml").also { it.writeText(text) }
        return readExperimentFile(file, KNOWN, mayLoad)
    }

    private fun mistakes(stacks: String, more: String = ""): List<String> = try {
        read(stacks, more)
        emptyList()
    } catch (wrong: ExperimentMistakes) {
        wrong.mistakes.map { "${it.problem} | ${it.remedy}" }
    }
}
