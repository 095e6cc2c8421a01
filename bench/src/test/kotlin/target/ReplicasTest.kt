package threadgauge.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

@Tag("processes")
class ReplicasTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `all replicas are called, counted and stopped`() {
        val replicas = Replicas.start(3, ::sleeping)
        replicas.endpoints.map { it.port } shouldBe listOf(1, 2, 3)
        replicas.port shouldBe 1
        val family = replicas.family()
        family.size shouldBe replicas.endpoints.size
        replicas.checkAlive()
        replicas.close()
        family.filter { alive(it) } shouldHaveSize 0
    }

    @Test
    fun `if one ends by itself, the whole target has ended`() {
        Replicas.start(2) { if (it == 0) sleeping(it) else started("exit 3", it) }.use { replicas ->
            eventually { runCatching { replicas.checkAlive() }.isFailure }
            shouldThrow<TargetFailed> { replicas.checkAlive() }
        }
    }

    @Test
    fun `if one cannot be started, the others are stopped`() {
        val started = ArrayList<StackTarget>()
        shouldThrow<IllegalStateException> {
            Replicas.start(3) { number -> if (number < 2) sleeping(number).also(started::add) else error("no more") }
        }
        started shouldHaveSize 2
        started.filter { alive(it.pid) } shouldHaveSize 0
        started.map { it.port } shouldContainAll listOf(1, 2)
    }

    private fun sleeping(number: Int) = started("exec sleep 100", number)

    private fun started(script: String, number: Int) =
        Target.start(
            listOf("/bin/sh", "-c", script), folder, port = number + 1, cores = emptyList(),
            log = folder.resolve("$number.log"),
        )

    private fun alive(pid: Long) = ProcessHandle.of(pid).map { it.isAlive }.orElse(false)

    private fun eventually(condition: () -> Boolean) {
        val end = System.nanoTime() + 20_000_000_000
        while (!condition() && System.nanoTime() < end) Thread.sleep(20)
    }
}
