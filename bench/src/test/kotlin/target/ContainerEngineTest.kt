package threadgauge.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Container
import threadgauge.wording.failure.words

@Tag("processes")
class ContainerEngineTest {
    @TempDir
    lateinit var folder: Path

    private val shop = Container("shop:1.4", port = 8080)

    @Test
    fun `the first engine that works and has the image is taken`() {
        val empty = FakeEngine(folder.resolve("a"), image = "other")
        val silent = FakeEngine(folder.resolve("b")).also { it.info(null) }
        val full = FakeEngine(folder.resolve("c"), name = "podman")
        val programs = listOf("no-such-engine", empty.program, silent.program, full.program)
        val engine = ContainerEngine.of(shop, programs)
        engine.program shouldBe full.program
        engine.identity("shop:1.4") shouldBe "sha256:of-shop:1.4"
        engine.identity("other").shouldBeNull()
    }

    @Test
    fun `what is missing is told with what to do`() {
        val empty = FakeEngine(folder.resolve("a"), image = "other").program
        val silent = FakeEngine(folder.resolve("b")).also { it.info(null) }.program
        val half = FakeEngine(folder.resolve("c")).also { it.info("""{"ServerErrors": ["no daemon"]}""") }.program
        why(half) shouldBe
            "$half is installed, and its engine cannot be used (no daemon); start the engine, or allow this user to " +
            "use it"
        why("no-such-engine") shouldBe
            "no engine for containers was found to start shop:1.4 (no-such-engine); install one of them, or start " +
            "the container yourself and give its url"
        why(silent) shouldBe
            "$silent is installed, and its engine cannot be used (Cannot connect to the daemon.); start the engine, " +
            "or allow this user to use it"
        why(silent, empty) shouldBe "$empty has no image shop:1.4; fetch it first: $empty pull shop:1.4"
    }

    @Test
    fun `without a port an engine is needed that shares the network of this machine`() {
        val rootless = """{"SecurityOptions": ["name=rootless"]}"""
        val engine = FakeEngine(folder.resolve("a")).also { it.info(rootless) }.program
        val shared = Container("shop:1.4")
        shouldThrow<NoContainer> { ContainerEngine.of(shared, listOf(engine)) }.fault.words() shouldBe
            "$engine does not give containers the network of this machine; name the port on which shop:1.4 serves, " +
            "such as port: 8080"
        ContainerEngine.of(shop, listOf(engine)).sharesNetwork.shouldBeFalse()
        engine("docker", """{"OperatingSystem": "Docker Desktop"}""").sharesNetwork.shouldBeFalse()
        engine("podman", """{"host": {"serviceIsRemote": true, "security": {"rootless": false}}}""").sharesNetwork
            .shouldBeFalse()
        // Podman without root has the network of its user, which is that of this machine.
        engine("podman", """{"host": {"security": {"rootless": true}}}""").sharesNetwork.shouldBeTrue()
        engine("nerdctl", "no JSON").sharesNetwork.shouldBeTrue()
    }

    @Test
    fun `a container has its own name and port, its cores, and no value in its command`() {
        val docker = engine("docker", "{}")
        val words = docker.start("one", shop, listOf("--debug"), setOf("PASSWORD", "A"), published = 4711, listOf(0, 2))
        words shouldContainExactly listOf(
            "docker", "run", "--rm", "--name=one", "--label=threadgauge", "--pull=never",
            "--publish=127.0.0.1:4711:8080", "--add-host=host.docker.internal:host-gateway", "--cpuset-cpus=0,2",
            "--env=A", "--env=PASSWORD", "shop:1.4", "--debug",
        )
        val shared = Container("shop:1.4", options = listOf("--memory=512m"))
        docker.start("one", shared, emptyList(), emptySet(), 4711, emptyList()) shouldContainExactly listOf(
            "docker", "run", "--rm", "--name=one", "--label=threadgauge", "--pull=never", "--network=host",
            "--memory=512m", "shop:1.4",
        )
        // What Podman starts are its children, which have its cores, and it cannot be told cores without root.
        val podman = engine("podman", PODMAN).start("one", shared, emptyList(), emptySet(), 4711, listOf(1))
        podman.take(4) shouldContainExactly listOf("taskset", "-c", "1", "podman")
        podman shouldContainAll listOf("--network=host", "--memory=512m")
        // It gives every container a name for this machine, and does not know Docker's word for that.
        engine("podman", PODMAN).start("one", shop, emptyList(), emptySet(), 4711, emptyList())
            .none { "add-host" in it }.shouldBeTrue()
    }

    @Test
    fun `what an engine says of a container is read, and its process is believed only with its control group`() {
        val own = ProcessHandle.current().pid()
        fun said(pid: Long, networks: String = """{"bridge": {"IPAddress": "172.17.0.2"}}""") =
            containerSeen("""{"Id": "0a1b2c", "State": {"Pid": $pid}, "NetworkSettings": {"Networks": $networks}}""")
        said(pid = 0).shouldBeNull()
        containerSeen("{}").shouldBeNull()
        containerSeen("no JSON").shouldBeNull()
        val seen = said(own).shouldNotBeNull()
        seen.address shouldBe "172.17.0.2"
        seen.localPid.shouldBeNull()
        containerSeen("""[{"Id": "0a1b2c", "State": {"Pid": 7}}]""").shouldNotBeNull().address.shouldBeNull()
        containerSeen("[]").shouldBeNull()
        said(own, """{"podman": {"IPAddress": ""}}""").shouldNotBeNull().address.shouldBeNull()
        said(own, "{}").shouldNotBeNull().address.shouldBeNull()
        engine("docker", "{}").place(seen, port = 8080, published = 4711) shouldBe ("127.0.0.1" to 4711)
    }

    @Test
    fun `a program that hangs is ended, and one that is not there is told`() {
        called(listOf("no-such-program"), patienceSeconds = 1).shouldBeNull()
        val hung = called(listOf("sh", "-c", "echo begun; exec sleep 300"), patienceSeconds = 1).shouldNotBeNull()
        hung.exitCode.shouldBeNull()
        val failed = called(listOf("sh", "-c", "cat; echo one >&2; echo two >&2; exit 3"), 10, "in").shouldNotBeNull()
        listOf(failed.exitCode, failed.output, failed.detail) shouldBe listOf(3, "in", "one two")
        val endless = called(listOf("sh", "-c", "yes words | head -c 1000000 >&2; exit 1"), 10).shouldNotBeNull()
        endless.detail shouldStartWith "words words"
    }

    private fun why(vararg programs: String) =
        shouldThrow<NoContainer> { ContainerEngine.of(shop, programs.toList()) }.fault.words()

    private companion object {
        const val PODMAN = """{"host": {"security": {"rootless": false}}}"""
    }
}
