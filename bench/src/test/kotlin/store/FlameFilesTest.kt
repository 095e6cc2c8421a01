package threadgauge.store

import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.GZIPOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.outputStream
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.GroupCalls
import threadgauge.model.profile.Profile

class FlameFilesTest {
    @TempDir
    lateinit var temporary: Path

    private val folder get() = RecordFolder(temporary.resolve("run").createDirectories())
    private val flames = Flames(
        listOf(Frame("shop.Shop", "order", 31, "Shop.kt"), Frame("libjvm.so", "Parker::park"), Frame("byte[]", "new")),
        listOf(
            CallTree(
                FlameKind.CPU, FlameSource.NATIVE, 12,
                of("", true, CallNode(0, 1.5, listOf(CallNode(1, 2.0), CallNode(CallNode.REST, 0.5)))),
            ),
            CallTree(FlameKind.ALLOCATION, FlameSource.EVENTS, 3, of("a", false, CallNode(2, 9.0))),
        ),
    )

    @Test
    fun `what was written is read, and nothing else lies beside it`() {
        val name = folder.flames.write(PlannedTrial("a", 1, emptyList()), "s", flames)
        name shouldBe "flames/a-1-s.json.gz"
        folder.flames.of(naming(name)) shouldBe mapOf(name to flames)
        folder.path.resolve("flames").listDirectoryEntries().size shouldBe 1
        val record = naming(name)
        storedFlames(listOf(record to folder)).of(record, name) shouldBe flames
        storedFlames(listOf(record to folder)).of(record.copy(id = "other"), name) shouldBe null
    }

    @Test
    fun `a record without the file has none`() {
        folder.flames.of(naming("flames/a-1-s.json.gz")).shouldBeEmpty()
        folder.flames.of(recordOf(mapOf("a" to listOf(1.0)))).shouldBeEmpty()
    }

    @Test
    fun `a file that is broken, of another kind, or nested without end is none`() {
        val texts = listOf("", "{", "[]", "{\"frames\":[],\"trees\":3}", deep())
        for (text in texts) {
            packed(folder.path.resolve("flames/x.json.gz"), text)
            folder.flames.of(naming("flames/x.json.gz")).shouldBeEmpty()
        }
        Files.writeString(folder.path.resolve("flames/x.json.gz"), "not packed")
        folder.flames.of(naming("flames/x.json.gz")).shouldBeEmpty()
    }

    @Test
    fun `no file outside of the folder is read`() {
        val name = folder.flames.write(PlannedTrial("a", 1, emptyList()), "s", flames)
        val outside = temporary.resolve("outside.json.gz")
        Files.copy(folder.path.resolve(name), outside)
        Files.createSymbolicLink(folder.path.resolve("flames/link.json.gz"), outside)
        for (bad in listOf("../outside.json.gz", "flames/../../outside.json.gz", "$outside", "flames/link.json.gz")) {
            folder.flames.of(naming(bad)).shouldBeEmpty()
        }
    }

    @Test
    fun `a large tree takes little room`() {
        val calls = List(20_000) { CallNode(it % 2_000, it * 1.25) }
        val frames = List(2_000) { Frame("org.example.framework.web.Handler$it", "handle", it, "Handler.java") }
        val tree = CallTree(FlameKind.WALL, FlameSource.NATIVE, 1, listOf(GroupCalls("a", false, calls)))
        val name = folder.flames.write(PlannedTrial("a", 1, emptyList()), "s", Flames(frames, listOf(tree)))
        Files.size(folder.path.resolve(name)) shouldBeLessThan 200_000
    }

    private fun of(threads: String, isVirtual: Boolean, node: CallNode) =
        listOf(GroupCalls(threads, isVirtual, listOf(node)))

    private fun deep() = "{\"frames\":[],\"trees\":[{\"kind\":\"CPU\",\"source\":\"NATIVE\",\"samples\":1,\"groups\":" +
        "[{\"threads\":\"a\",\"isVirtual\":false,\"calls\":[" + "{\"f\":0,\"c\":[".repeat(500_000)

    private fun packed(file: Path, text: String) {
        file.parent.createDirectories()
        GZIPOutputStream(file.outputStream()).bufferedWriter().use { it.write(text) }
    }

    private fun naming(file: String): Record = recordOf(mapOf("a" to listOf(1.0))).let { record ->
        val profile = Profile("s", 0.0, 1_000.0, 1_000.0, 10, 1.0, cores = 1, flames = file)
        record.copy(trials = record.trials.map { it.copy(profiles = listOf(profile)) })
    }
}
