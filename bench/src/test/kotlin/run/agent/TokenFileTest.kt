package threadgauge.run.agent

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.failure.Failure

class TokenFileTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a token is made where there is none, for its owner alone, and a short one is refused`() {
        val file = folder.resolve("new/token")
        var made = 0
        val token = tokenIn(file) { made++ }
        made shouldBe 1
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) shouldBe "rw-------"
        val again = tokenIn(file) { made++ }
        made shouldBe 1
        proofBy(again) shouldBe proofBy(token)
        file.writeText("short")
        shouldThrow<BadToken> { tokenIn(file) {} }.failure.shouldBeInstanceOf<Failure.ShortToken>()
        shouldThrow<BadToken> { tokenIn(folder) {} }.failure.shouldBeInstanceOf<Failure.TokenFile>()
    }

    @Test
    fun `agents that start at once with one file have one token, and one of them made it`() {
        repeat(20) { attempt ->
            val file = folder.resolve("shared-$attempt/token")
            val made = AtomicInteger()
            val proofs = Executors.newFixedThreadPool(STARTS).use { threads ->
                val start = CyclicBarrier(STARTS)
                val starts = List(STARTS) {
                    threads.submit<String> {
                        start.await()
                        proofBy(tokenIn(file) { made.incrementAndGet() })
                    }
                }
                starts.map { it.get() }
            }
            proofs.toSet() shouldHaveSize 1
            made.get() shouldBe 1
            file.parent.listDirectoryEntries() shouldBe listOf(file)
        }
    }

    private fun proofBy(token: AgentToken) = token.proof(AgentToken.Role.LISTENER, byteArrayOf(1), "a", "b")

    private companion object {
        const val STARTS = 8
    }
}
