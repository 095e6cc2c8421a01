package threadgauge.checks

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.util.concurrent.Executors
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("processes")
class LauncherTest {
    private val project = FakeProject()

    @AfterEach
    fun removeFolders() = project.close()

    @Test
    fun `a new JDK in a usual folder is found when the default java is old`() {
        project.putOnPath(project.jdk("17.0.15"))
        project.jdk("25.0.3")
        val ran = project.run("list", "stacks")
        ran.output.first() shouldBe "java of 25.0.3 in ${project.base}"
        ran.output.takeLast(2) shouldContainExactly listOf("list", "stacks")
        ran.errors shouldBe ""
        ran.exitCode shouldBe 0
    }

    @Test
    fun `without any JDK that is new enough there is one clear message`() {
        project.putOnPath(project.jdk("1.8.0_482"))
        project.jdk("25.0.1", "only a jre", compiler = false)
        val ran = project.run(javaHome = project.jdk("21.0.2"))
        ran.exitCode shouldBe 69
        ran.output shouldContainExactly listOf("")
        for (part in listOf(
            "no JDK 25 or newer", "1.8.0_482 in", "25.0.1 (no compiler) in", "21.0.2 in", "Install a JDK 25",
        )) {
            ran.errors shouldContain part
        }
    }

    @Test
    fun `without any Java at all the message says so`() {
        val ran = project.run()
        ran.exitCode shouldBe 69
        ran.errors shouldContain "No other Java was found either."
    }

    @Test
    fun `JAVA_HOME is used if it is new enough, and passed over if not`() {
        val new = project.jdk("25.0.1")
        project.jdk("27")
        project.run(javaHome = new).output.first() shouldContain "java of 25.0.1 in"
        project.run(javaHome = project.jdk("17")).output.first() shouldContain "java of 27 in"
        project.run(javaHome = project.base.resolve("nowhere")).output.first() shouldContain "java of 27 in"
    }

    @Test
    fun `the newest of several is taken, by number and not by letters`() {
        for (version in listOf("25.0.9", "25.0.10", "9.0.4", "25")) project.jdk(version)
        project.run().output.first() shouldContain "java of 25.0.10 in"
        project.jdk("26-ea")
        project.run().output.first() shouldContain "java of 26-ea in"
    }

    @Test
    fun `it works through links and from any folder, which stays the working folder`() {
        project.jdk("25")
        val elsewhere = project.base.resolve("else where").createDirectories()
        val first = elsewhere.resolve("link").createSymbolicLinkPointingTo(Path.of("../the project/threadgauge"))
        val second = project.base.resolve("second").createSymbolicLinkPointingTo(first)
        val ran = project.run("run", "my file.yaml", "*", "", command = second, from = elsewhere)
        ran.output.first() shouldBe "java of 25 in $elsewhere"
        ran.output shouldContain "-Dthreadgauge.home=${project.root}"
        ran.output shouldContain "${project.root}/bench/target/threadgauge.jar"
        ran.output.takeLast(2) shouldContainExactly listOf("my file.yaml", "*")
    }

    @Test
    fun `nothing is built when nothing changed`() {
        project.jdk("25")
        project.maven()
        project.run().exitCode shouldBe 0
        project.mavenLog.shouldBeEmpty()
    }

    @Test
    fun `a change in a source builds once, what the tour needs and no more`() {
        val java = project.jdk("25")
        project.maven()
        project.file("bench/src/main/kotlin/New.kt", "class New")
        Files.setLastModifiedTime(project.root.resolve("target/threadgauge.built"), FileTime.fromMillis(0))
        val ran = project.run("x")
        ran.errors shouldContain "sources changed, building"
        ran.errors shouldContain "built in"
        ran.output.last() shouldBe "x"
        project.run().errors shouldBe ""
        project.mavenLog shouldContainExactly listOf(
            "$java: -B -DrunOnly -pl bench,servers/stacks/ktor -am package",
        )
    }

    @Test
    fun `a missing stamp or jar builds`() {
        project.jdk("25")
        project.maven("touch bench/target/threadgauge.jar 2>/dev/null || : >bench/target/threadgauge.jar")
        Files.delete(project.root.resolve("target/threadgauge.built"))
        project.run().errors shouldContain "building for the first time"
        Files.delete(project.root.resolve("bench/target/threadgauge.jar"))
        project.run().errors shouldContain "building"
        project.mavenLog shouldHaveSize 2
    }

    @Test
    fun `a build that fails shows the end of its log, and the next start builds again`() {
        project.jdk("25")
        project.maven("echo 'Main.kt:3: unresolved reference'; exit 1")
        Files.delete(project.root.resolve("target/threadgauge.built"))
        val ran = project.run()
        ran.exitCode shouldBe 69
        ran.errors shouldContain "Main.kt:3: unresolved reference"
        ran.errors shouldContain "target/build.log"
        ran.output shouldContainExactly listOf("")
        project.run().exitCode shouldBe 69
        project.mavenLog shouldHaveSize 2
    }

    @Test
    fun `a build that takes long says how far it is, and one that fails what was wrong among all that it printed`() {
        project.jdk("25")
        val loaded = (1..40).joinToString("\n") { "echo '[INFO] Downloaded from central: a-$it.jar'" }
        project.maven(
            "echo '[ERROR] Main.kt:3: unresolved'\n$loaded\necho '[INFO] Building bench 1.0  [2/9]'\nsleep 3\nexit 1",
        )
        Files.delete(project.root.resolve("target/threadgauge.built"))
        val ran = project.run()
        ran.errors shouldContain "40 files loaded, building bench, module 2 of 9"
        ran.errors.substringAfter("target/build.log") shouldContain "Main.kt:3: unresolved"
        ran.errors shouldNotContain "a-40.jar"
    }

    @Test
    fun `Maven is only missed when something is to be built`() {
        project.jdk("25")
        project.run().exitCode shouldBe 0
        Files.delete(project.root.resolve("target/threadgauge.built"))
        val ran = project.run()
        ran.exitCode shouldBe 69
        ran.errors shouldContain "Maven is needed to build"
    }

    @Test
    fun `of several that start together one builds and the others wait`() {
        project.jdk("25")
        val busy = project.base.resolve("busy")
        project.maven("mkdir '$busy' || echo COLLISION >>'${project.base}/mvn.log'; sleep 1; rmdir '$busy'")
        Files.delete(project.root.resolve("target/threadgauge.built"))
        Executors.newVirtualThreadPerTaskExecutor().use { atOnce ->
            val starts = (1..4).map { atOnce.submit<Ran> { project.run("$it") } }
            starts.map { it.get().output.last() } shouldContainExactly listOf("1", "2", "3", "4")
        }
        project.mavenLog shouldHaveSize 1
        Files.isSymbolicLink(project.root.resolve("target/threadgauge.lock")) shouldBe false
    }

    @Test
    fun `a lock that a killed launcher left behind is broken`() {
        project.jdk("25")
        project.maven()
        val gone = ProcessBuilder("true").start().also { it.waitFor() }.pid()
        project.root.resolve("target/threadgauge.lock").createSymbolicLinkPointingTo(Path.of("pid-$gone"))
        Files.delete(project.root.resolve("target/threadgauge.built"))
        val ran = project.run()
        ran.exitCode shouldBe 0
        ran.errors shouldNotContain "waiting"
    }

    @Test
    fun `test runs Maven's whole suite with the right JDK and passes its exit code on`() {
        val java = project.jdk("25")
        project.maven("exit 3")
        val ran = project.run("test", "-pl", "contract", javaHome = project.jdk("17"))
        ran.exitCode shouldBe 3
        project.run("test", javaHome = java).exitCode shouldBe 3
        project.mavenLog shouldContainExactly listOf(
            "$java: -B -ntp verify -pl contract -T 2", "$java: -B -ntp verify -Dwhole -T 2",
        )
    }

    @Test
    fun `what modules share while they are tested has a folder until Maven has ended`() {
        project.jdk("25")
        project.maven(
            "echo \"${'$'}THREADGAUGE_SHARED ${'$'}THREADGAUGE_SHARED_UNTIL ${'$'}${'$'}\"; test -d " +
                "\"${'$'}THREADGAUGE_SHARED\"",
        )
        val ran = project.run("test")
        ran.exitCode shouldBe 0
        val (folder, until, maven) = ran.output.single().split(' ')
        until shouldBe maven
        Files.exists(Path.of(folder)) shouldBe false
    }

    @Test
    fun `fast tests are those of modules that need nothing but memory, unless others are named`() {
        project.jdk("25")
        project.maven()
        val ran = project.run("test", "--fast")
        ran.exitCode shouldBe 0
        ran.errors shouldContain Regex("tested for \\d+ s")
        project.mavenLog.single() shouldEndWith "-B -ntp test -Dfast " +
            "-pl contract,contract-testkit,servers/shared/work,bench,tickets/core,checks -T 2"
        project.run("test", "--fast", "-pl", "tickets/core").exitCode shouldBe 0
        project.mavenLog.last() shouldEndWith "-B -ntp test -pl tickets/core -Dfast -T 2"
    }

    @Test
    fun `fast tests build nothing that the program could start`() {
        project.jdk("25")
        project.maven()
        val stamp = project.root.resolve("target/threadgauge.built")
        Files.delete(stamp)
        project.run("test", "--fast").exitCode shouldBe 0
        Files.exists(stamp) shouldBe false
        project.run("test").exitCode shouldBe 0
        Files.exists(stamp) shouldBe true
    }

    @Test
    fun `a module is built when it is asked for, and again only when it or what it is made of has changed`() {
        project.jdk("25.0.3")
        project.maven("mkdir -p servers/stacks/new/target && : >servers/stacks/new/target/new.jar")
        project.file(
            "servers/stacks/new/pom.xml", "<artifactId>threadgauge-ktor</artifactId><version>1</version></dependency>",
        )
        project.file("servers/stacks/new/src/main/kotlin/Main.kt", "fun main() = Unit")
        project.run("build", "servers/stacks/new").exitCode shouldBe 0
        project.run("build", "servers/stacks/new").errors shouldBe ""
        project.mavenLog shouldHaveSize 1
        project.mavenLog.single() shouldContain "-pl servers/stacks/new -am package"
        Thread.sleep(MILLIS_BETWEEN_TIMES)
        project.file("servers/stacks/ktor/src/main/kotlin/Main.kt", "fun main() = println()")
        project.run("build", "servers/stacks/new").errors shouldContain "sources changed"
        project.mavenLog shouldHaveSize 2
    }

    @Test
    fun `several modules are built by one call, and only those that are stale`() {
        project.jdk("25.0.3")
        project.maven(
            "for it in a b; do mkdir -p servers/stacks/${'$'}it/target && : " +
                ">servers/stacks/${'$'}it/target/${'$'}it.jar; done",
        )
        listOf("a", "b").forEach { project.file("servers/stacks/$it/pom.xml", "<project/>") }
        project.run("build", "servers/stacks/a", "servers/stacks/b").errors shouldContain
            "building servers/stacks/a servers/stacks/b for the first time"
        project.mavenLog.single() shouldContain "-pl servers/stacks/a,servers/stacks/b -am package"
        Thread.sleep(MILLIS_BETWEEN_TIMES)
        project.file("servers/stacks/b/src/main/kotlin/Main.kt", "fun main() = println()")
        project.run("build", "servers/stacks/a", "servers/stacks/b").exitCode shouldBe 0
        project.mavenLog.last() shouldContain "-pl servers/stacks/b -am package"
    }

    @Test
    fun `a module that there is not, and one that cannot be built, end with an exit code that says so`() {
        project.jdk("25.0.3")
        project.maven("echo no such library; false")
        val unknown = project.run("build", "servers/stacks/none")
        unknown.exitCode shouldBe 64
        unknown.errors shouldBe "threadgauge: there is no module servers/stacks/none.\n"
        project.file("servers/stacks/new/pom.xml", "<project/>")
        val failed = project.run("build", "servers/stacks/new")
        failed.exitCode shouldBe 69
        failed.errors shouldContain "no such library"
    }

    private companion object {
        /** Some file systems keep times no finer. */
        const val MILLIS_BETWEEN_TIMES = 20L
    }
}
