package threadgauge.dist

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class PartsTest {
    @TempDir
    lateinit var folder: Path

    private val tree = Tree(projectRoot)

    @Test
    fun `the launcher of an archive has what it needs of the source launcher, and nothing about builds`() {
        val launcher = archiveLauncher(tree.launcher, "#!/bin/sh\nmain() { find_root; }\n")
        for (part in listOf("find_root", "find_java", "start_program", "say")) launcher shouldContain "$part() {"
        launcher shouldNotContain "mvn"
        launcher shouldNotContain "build_stale"
        launcher.trim().lines().last() shouldBe "main \"\$@\""
    }

    @Test
    fun `a launcher without a section that archives need is noticed`() {
        val lame = tree.launcher.replace("# --- which Java ---", "# --- java ---")
        shouldThrow<IllegalStateException> { archiveLauncher(lame, "") }.message shouldContain "which Java"
    }

    @Test
    fun `libraries for other platforms stay outside`() {
        val linux = Platform("linux-x64")
        linux.takes("netty-4.2.jar") shouldBe true
        linux.takes("netty-epoll-4.2-linux-x86_64.jar") shouldBe true
        linux.takes("netty-epoll-4.2-linux-aarch_64.jar") shouldBe false
        linux.takes("boringssl-osx-x86_64.jar") shouldBe false
        Platform("macos-aarch64").takes("boringssl-osx-aarch_64.jar") shouldBe true
    }

    @Test
    fun `what is known of stacks is in every archive, built or not`() {
        tree.common().map { it.path } shouldContainAll listOf(
            "LICENSE", "experiments/tour.yaml", "servers/stacks/helidon/stacks.yaml", "tickets/service/stacks.yaml",
        )
    }

    @Test
    fun `recipes name each file with its checksum`() {
        val zip = folder.resolve("threadgauge-1.zip").apply { writeText("zip") }
        val linux = folder.resolve("threadgauge-1-linux-x64.tar.gz").apply { writeText("linux") }
        val recipes = Recipes("1", "https://releases.example/releases/download/v1/")
        val formula = recipes.formula(zip, mapOf(Platform("linux-x64") to linux))
        for (file in listOf(zip, linux)) {
            formula shouldContain "\"https://releases.example/releases/download/v1/${file.fileName}\""
            formula shouldContain "\"${sha256(file)}\""
        }
        formula shouldContain "depends_on \"openjdk@25\" unless (OS.linux? && Hardware::CPU.intel?)"
        recipes.formula(zip, emptyMap()) shouldContain "unless false"
        val alias = Json.parseToJsonElement(recipes.jbangCatalog()).jsonObject.getValue("aliases").jsonObject
        alias.getValue("threadgauge").jsonObject.getValue("script-ref").jsonPrimitive.content shouldBe
            "https://releases.example/releases/download/v1/ThreadgaugeLauncher.java"
    }

    @Test
    fun `modules of another platform, or of none, are rejected`() {
        val mac = Platform("macos-aarch64")
        shouldThrow<DistFailed> { linkRuntime(folder.resolve("out"), mac, folder) }.problem shouldContain
            "no java.base.jmod"
        folder.resolve("java.base.jmod").writeText("no jmod")
        shouldThrow<DistFailed> { linkRuntime(folder.resolve("out"), mac, folder) }.problem shouldContain
            "are for no known platform, not for macos-aarch64"
    }

    @Test
    fun `a folder that is no root of a system is rejected`() {
        shouldThrow<DistFailed> { givenRoot(folder) }.problem shouldContain "no bin/sh"
    }

    @Test
    fun `a folder that cannot be written, and a tree that is not built, are reported with a remedy`() {
        val file = folder.resolve("file").apply { writeText("") }
        fun dist(out: Path, tour: List<String>) = Dist(DistOrder(tree, out, tour, false, emptyMap(), "x/")) {}
        val denied = shouldThrow<DistFailed> { dist(file.resolve("out"), emptyList()).make() }
        denied.exitCode shouldBe NOT_WRITABLE
        denied.remedy shouldContain "--out"
        shouldThrow<DistFailed> { dist(folder, listOf("servers/stacks/nowhere")).make() }.remedy shouldContain
            "./threadgauge build servers/stacks/nowhere"
    }
}
