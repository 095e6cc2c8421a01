package threadgauge.serve

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.failure.Failure
import threadgauge.report.runs.ListedRun
import threadgauge.report.runs.RunStatus
import threadgauge.store.RecordFolder
import threadgauge.store.RecordLock

@Timeout(60)
class RunIndexTest {
    @TempDir
    lateinit var place: Path

    @Test
    fun `runs are listed the newest first, with summaries that are kept beside the records`() = patient { index ->
        runIn(place, "a", day = 2)
        runIn(place, "b", day = 3)
        runIn(place, "c", day = 1)
        place.resolve("empty").createDirectories()
        index.runs().map { it.folder } shouldContainExactly listOf("b", "a", "c")
        index.runs().first().summary.shouldNotBeNull().situations.single().cells.size shouldBe 2
        place.resolve("b/summary.json").exists() shouldBe true
        RunIndex(place).use { other ->
            other.runs().first().summary.shouldNotBeNull().situations.size shouldBe 0
            other.withFigures(other.runs()) shouldBe index.runs()
        }
    }

    @Test
    fun `a new run, a changed one and a deleted one are noticed`() = patient { index ->
        runIn(place, "a")
        index.runs().single().summary.shouldNotBeNull().savedAs.shouldBeNull()
        runIn(place, "a") { it.named("e", savedAs = "main") }
        runIn(place, "b", day = 2)
        index.runs().map { it.summary?.savedAs } shouldContainExactly listOf(null, "main")
        place.resolve("b").toFile().deleteRecursively()
        index.runs().map { it.folder } shouldContainExactly listOf("a")
        index.find("b").shouldBeNull()
    }

    @Test
    fun `records that cannot be read are listed with the reason, and hide no other`() = patient { index ->
        runIn(place, "good")
        broken("text", "{")
        broken("list", "[]")
        broken("newer", """{"schema": 99}""")
        broken("deep", "[".repeat(200_000))
        val runs = index.runs().associateBy { it.folder }
        runs.size shouldBe 5
        runs.getValue("good").status shouldBe RunStatus.COMPLETE
        (runs - "good").values.map { it.status }.distinct() shouldContainExactly listOf(RunStatus.UNREADABLE)
        (runs - "good").values.forEach { it.fault.shouldNotBeNull() }
        (runs.getValue("newer").fault is Failure.Record) shouldBe true
    }

    @Test
    fun `a run is under way while its writer lives, and broken off afterwards`() = patient { index ->
        val folder = runIn(place, "a") { it.underWay(measured = 2) }
        index.runs().single().status shouldBe RunStatus.BROKEN_OFF
        RecordLock.take(folder.path).use {
            index.runs().single().status shouldBe RunStatus.UNDER_WAY
            // Not read again for a sample more: what it was asked cannot change.
            runIn(place, "a") { it.named("other").underWay(measured = 3) }
            index.runs().single().run { status shouldBe RunStatus.UNDER_WAY; summary?.experiment shouldBe "e" }
            runIn(place, "a") { it.named("other") }
            index.runs().single().run { status shouldBe RunStatus.COMPLETE; summary?.experiment shouldBe "other" }
            runIn(place, "a") { it.underWay(measured = 2) }
        }
        // A number that no process has.
        place.resolve("a/.lock").writeText("999999999\n")
        index.runs().single().status shouldBe RunStatus.BROKEN_OFF
        runIn(place, "a") { it.copy(state = RunState.INTERRUPTED) }
        index.runs().single().status shouldBe RunStatus.INTERRUPTED
    }

    @Test
    fun `what does not fit into the patience is read by a thread of its own`() = RunIndex(place, Duration.ZERO).use {
        repeat(3) { at -> runIn(place, "r-$at", day = at + 1) }
        it.runs().map(ListedRun::status).distinct() shouldContainExactly listOf(RunStatus.UNREAD)
        while (it.runs().any { run -> run.status == RunStatus.UNREAD }) Thread.onSpinWait()
        it.runs().map(ListedRun::folder) shouldContainExactly listOf("r-2", "r-1", "r-0")
        it.runs().map(ListedRun::status).distinct() shouldContainExactly listOf(RunStatus.COMPLETE)
    }

    @Test
    fun `nothing is judged while a run in the folder is under way`() = patient { index ->
        runIn(place, "old")
        val folder = runIn(place, "new", day = 2) { it.underWay(measured = 2) }
        val later = Files.getLastModifiedTime(place.resolve("old/record.json")).toMillis() + 5_000
        Files.setLastModifiedTime(place.resolve("new/record.json"), FileTime.fromMillis(later))
        RecordLock.take(folder.path).use {
            val statuses = index.runs().associate { it.folder to it.status }
            statuses shouldBe mapOf("new" to RunStatus.UNDER_WAY, "old" to RunStatus.UNREAD)
        }
    }

    @Test
    fun `the folder of a single run is a list of one`() {
        val folder = runIn(place, "only")
        RunIndex(folder.path, 1.minutes).use { index ->
            index.runs().single().folder shouldBe "only"
            index.find("only").shouldNotBeNull().path shouldBe folder.path
        }
    }

    @Test
    fun `a name that is a path finds nothing`() = patient { index ->
        runIn(place, "a")
        runIn(place.parent, "${place.fileName}-outside")
        for (name in listOf("..", ".", "../${place.fileName}-outside", "a/../a", "/etc", "", "a\u0000")) {
            index.find(name).shouldBeNull()
        }
        index.find("a").shouldNotBeNull()
        place.resolveSibling("${place.fileName}-outside").toFile().deleteRecursively()
    }

    private fun broken(name: String, text: String) {
        RecordFolder(place.resolve(name)).create().path.resolve("record.json").writeText(text)
    }

    private fun patient(test: (RunIndex) -> Unit) = RunIndex(place, 1.minutes).use(test)
}
