package threadgauge.dist

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan as shouldBeMoreThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.relativeTo
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.MethodOrderer
import org.junit.jupiter.api.Order
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestMethodOrder

/** The archives of this tree, made once, and used as somebody else would. */
@Tag("processes")
@TestMethodOrder(MethodOrderer.OrderAnnotation::class)
class DistTest {
    @Test
    @Order(1)
    fun `an archive gives a first figure without network, Maven, Java and root`() {
        val archive = file("linux-x64.tar.gz")
        Files.size(archive) shouldBeLessThan 150_000_000
        val unpacked = machine.run("tar", "xzf", archive.toString())
        withClue(unpacked.output) { unpacked.exitCode shouldBe 0 }
        if (machine.hasNoNetwork) {
            val devices = machine.run("cat", "/proc/net/dev").output.lines().filter { ':' in it }
            devices.map { it.substringBefore(':').trim() } shouldBe listOf("lo")
        }
        machine.run("sh", "-c", "command -v java || command -v mvn").output shouldBe ""
        val begun = System.nanoTime()
        var firstMillis = 0L
        val ran = machine.run(
            "$PROGRAM", "run", experiment("first", "spring-mvc", "ktor-netty"), "--quick", "--no-causes",
            watch = {
                if (firstMillis == 0L && hasFigure("first")) firstMillis = (System.nanoTime() - begun) / 1_000_000
            },
        )
        withClue(ran.output) { ran.exitCode shouldBe 0 }
        ran.output shouldContain "ktor-netty"
        println("unpacked in ${unpacked.millis} ms, first figure after $firstMillis ms, ran in ${ran.millis} ms")
        firstMillis shouldBeGreaterThan 0L
        // Less than a minute on a machine that has nothing else to do, which this one may not be.
        unpacked.millis + firstMillis shouldBeLessThan 180_000L
        samplesOf("first").keys shouldBe setOf("spring-mvc", "ktor-netty")
    }

    @Test
    @Order(2)
    fun `the other servers of the tour run on the JDK that came along, and are profiled`() {
        val ran = machine.run("$PROGRAM", "run", experiment("second", "spring-mvc-virtual", "spring-webflux"))
        withClue(ran.output) { ran.exitCode shouldBe 0 }
        samplesOf("second").keys shouldBe setOf("spring-mvc-virtual", "spring-webflux")
        val profiled = recordOf("second").getValue("trials").jsonArray.map { it.jsonObject }
            .filter { it["profiles"]?.jsonArray.orEmpty().isNotEmpty() }
        withClue(recordOf("second").toString().take(20_000)) { profiled.size shouldBe 2 }
    }

    @Test
    @Order(3)
    fun `a stack that did not come along is reported with where to get it`() {
        val ran = machine.run("$PROGRAM", "run", experiment("third", "helidon"))
        ran.exitCode shouldBe 69
        ran.output shouldContain "servers/stacks/helidon is not in it"
        ran.output shouldContain "threadgauge-all"
        machine.run("$PROGRAM", "build", "servers/stacks/helidon").exitCode shouldBe 64
    }

    @Test
    @Order(4)
    fun `the program starts at once`() {
        val starts = List(10) { machine.run("$PROGRAM", "--version") }
        starts.forEach { it.output.trim() shouldBe "threadgauge version $VERSION" }
        println("--version took ${starts.map { it.millis }.sorted()} ms")
        // Half a second and less where nothing else runs.
        starts.minOf { it.millis } shouldBeLessThan 2_000L
    }

    @Test
    @Order(5)
    fun `the image holds what its digests say, and its program runs in it`() {
        val layout = folder.resolve("image").createDirectories()
        run("tar", "xf", "${file("image-linux-x64.tar")}", "-C", "$layout")
        val index = json(layout.resolve("index.json"))
        val manifest = json(blob(layout, index.getValue("manifests").jsonArray.single().jsonObject))
        val layers = manifest.getValue("layers").jsonArray.map { blob(layout, it.jsonObject) }
        val config = json(blob(layout, manifest.getValue("config").jsonObject))
        val diffs = config.getValue("rootfs").jsonObject.getValue("diff_ids").jsonArray.map { it.jsonPrimitive.content }
        layers.map { "sha256:${unzippedDigest(it)}" } shouldBe diffs
        val root = folder.resolve("root").createDirectories()
        layers.forEach { run("tar", "xzf", "$it", "-C", "$root") }
        val enter = listOf(listOf("unshare", "-m"), listOf("unshare", "-rm"))
            .firstOrNull { runs(*(it + "true").toTypedArray()) }
        assumeTrue(enter != null, "this machine allows no namespaces: the image was not entered")
        val program = "/opt/threadgauge/threadgauge --version"
        // Where ordinary users have no path to it.
        val chroot = "PATH=\"\$PATH:/usr/sbin:/sbin\" exec chroot '$root' $program"
        val script = "mount -t proc proc '$root/proc' 2>/dev/null; $chroot"
        val ran = ProcessBuilder(enter!! + listOf("sh", "-c", script)).redirectErrorStream(true).start()
        ran.inputReader().readText().trim() shouldBe "threadgauge version $VERSION"
    }

    @Test
    @Order(6)
    fun `the script for JBang loads the zip, checks it and starts it`() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val script = out.resolve(Recipes.JBANG_SCRIPT)
        fun start(script: Path) = ProcessBuilder(java, "$script", "--version").redirectErrorStream(true)
            .apply { environment()["XDG_CACHE_HOME"] = "${folder.resolve("cache")}" }.start()
        val first = start(script).inputReader().readText()
        first shouldContain "loading"
        first shouldContain "threadgauge version $VERSION"
        start(script).inputReader().readText().trim() shouldBe "threadgauge version $VERSION"
        val forged = folder.resolve("forged").createDirectories().resolve(script.name)
        forged.writeText(script.readText().replace(sha256(file("zip")), "0".repeat(64)))
        val refused = start(forged)
        refused.inputReader().readText() shouldContain "nothing was unpacked"
        refused.waitFor() shouldBe 69
    }

    /** Servers and image are files that are copied, and TarTest has that copies are packed alike. */
    @Test
    @Order(7)
    fun `what is made for an archive has the same bytes when it is made again`() {
        val again = folder.resolve("again")
        Release.dist(again, listOf("bench"), hasImage = false).make()
        val small = packed(again.resolve("threadgauge-$VERSION-linux-x64.tar.gz"))
        val whole = packed(file("linux-x64.tar.gz"))
        small.size shouldBeMoreThan 100
        small.keys.count { it.endsWith("/threadgauge.jsa") || it.endsWith("/lib/modules") } shouldBe 2
        val others = small.filter { (file, packed) -> whole[file] != packed }
        others.map { (file, packed) -> "$file: $packed, before: ${whole[file]}" }.shouldBeEmpty()
        again.resolve("SHA256SUMS").readText().lines().filter { it.isNotEmpty() }.forEach {
            sha256(again.resolve(it.substringAfter("  "))) shouldBe it.substringBefore("  ")
        }
        again.listDirectoryEntries(".*").shouldBeEmpty()
    }

    /** What an archive unpacks to: rights, time, size and digest of each file. */
    private fun packed(archive: Path): Map<String, String> {
        val files = Files.createTempDirectory(folder, "packed")
        run("tar", "xzf", "$archive", "-C", "$files")
        return Files.walk(files).use { all ->
            all.filter(Files::isRegularFile).toList().associate {
                val rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(it))
                val time = Files.getLastModifiedTime(it)
                it.relativeTo(files).toString() to "$rights $time ${Files.size(it)} bytes ${sha256(it)}"
            }
        }.also { files.toFile().deleteRecursively() }
    }

    private fun experiment(name: String, vararg stacks: String): String {
        val file = home.resolve("$name.yaml")
        file.writeText(
            """
            name: $name
            question: Does it work?
            stacks: [${stacks.joinToString()}]
            situations:
              - {name: hello, words: say hello, request: GET /hello, load: {users: 5, for: 2s}}
            trials: 1
            warm-up: {budget: 2s, load: 200ms, pause: 100ms}
            """.trimIndent() + "\n",
        )
        return file.toString()
    }

    private fun recordOf(name: String) =
        json(home.resolve("results").listDirectoryEntries("$name-*").single().resolve("record.json"))

    private fun hasFigure(name: String): Boolean = home.resolve("results").takeIf { it.exists() }
        ?.listDirectoryEntries("$name-*").orEmpty().map { it.resolve("record.json") }
        .any { it.exists() && WITH_SAMPLE.containsMatchIn(it.readText()) }

    /** Requests that were answered correctly, by stack; each has some. */
    private fun samplesOf(name: String): Map<String, String> = recordOf(name).getValue("trials").jsonArray
        .map { it.jsonObject }.filter { it.getValue("samples").jsonArray.isNotEmpty() }
        .associate { it.getValue("stack").jsonPrimitive.content to it.getValue("samples").toString() }

    private companion object {
        /** A list of samples or of slices that is not empty. */
        val WITH_SAMPLE = Regex("\"(samples|slices)\":\\s*\\[\\s*\\{")
        val VERSION = Release.tree.version
        val PROGRAM = "./threadgauge-$VERSION/threadgauge"
        val folder: Path get() = Release.folder
        val out: Path get() = Release.files
        val home: Path = folder.resolve("home").createDirectories()
        lateinit var machine: Machine

        @JvmStatic
        @BeforeAll
        fun makeAll() {
            assumeTrue(Platform.here?.name == "linux-x64", "archives with a JDK are tested on Linux on x86-64")
            Release.files
            machine = Machine(home)
            runs("chmod", "-R", "a+rX", folder.toString())
        }

        fun file(end: String) = Release.file(end)

        fun json(file: Path): JsonObject = Json.parseToJsonElement(file.readText()).jsonObject

        fun blob(layout: Path, descriptor: JsonObject): Path {
            val digest = descriptor.getValue("digest").jsonPrimitive.content.removePrefix("sha256:")
            val file = layout.resolve("blobs/sha256/$digest")
            sha256(file) shouldBe digest
            Files.size(file).toString() shouldBe descriptor.getValue("size").jsonPrimitive.content
            return file
        }

        fun unzippedDigest(file: Path): String {
            val plain = Files.createTempFile(folder, "layer", ".tar")
            java.util.zip.GZIPInputStream(Files.newInputStream(file)).use { input ->
                Files.newOutputStream(plain).use { input.copyTo(it) }
            }
            return sha256(plain)
        }

        fun run(vararg command: String) = check(runs(*command)) { command.joinToString(" ") }
    }
}
