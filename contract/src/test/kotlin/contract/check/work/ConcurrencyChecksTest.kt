package threadgauge.contract.check.work

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.Semaphore
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Reply
import threadgauge.contract.example.Sabotage
import threadgauge.contract.example.report

/** Servers whose requests wait for one another are found, correct ones are not, and a busy machine changes neither. */
@Tag("processes")
@Isolated("it keeps all cores busy")
class ConcurrencyChecksTest {
    @Test
    fun `an endpoint that serves one, eight or sixteen requests at a time is found`() =
        listOf(1, 8, 16).forEach { served ->
            // Patience for two attempts: a correct server is given four.
            val violation = violation(DELAYS, serving(served), patience = 2.seconds)
            withClue("$served at a time: $violation") { violation.shouldNotBeNull() }
        }

    @Test
    fun `the violation names what was requested, and what was answered meanwhile`() {
        violation(DELAYS, serving(8), patience = 2.seconds).shouldNotBeNull() shouldContain
            "/offload delays no other waiting request: GET /offload/1: expected 5 answers, one after the other, " +
            "while 16 requests for GET /offload/400 wait, got "
        violation(DELAYS, serving(1), patience = 2.seconds).shouldNotBeNull() shouldContain
            "was not answered in full within 2s"
    }

    @Test
    fun `an endpoint that serves seventeen requests at a time is correct`() {
        violation(DELAYS, serving(17)).shouldBeNull()
    }

    @Test
    fun `of an endpoint with a limit no more is expected than its limit`() {
        violation(DELAYS, serving(3, reported = 3)).shouldBeNull()
        violation(DELAYS, serving(1, reported = 1)).shouldBeNull()
        violation(DELAYS, serving(2, reported = 3), patience = 2.seconds).shouldNotBeNull() shouldContain
            "while 2 requests for GET /offload/400 wait"
    }

    @Test
    fun `a reported limit that does not hold is found`() {
        violation(LIMITS, serving(2, reported = 2)).shouldBeNull()
        violation(LIMITS, serving(3, reported = 2)).shouldNotBeNull() shouldContain
            "/offload serves no more requests at a time than /runtime reports: each of 3 requests at once"
    }

    @Test
    fun `a busy machine makes no correct server wrong and no wrong one correct`() = busy {
        violation(DELAYS, serving(17)).shouldBeNull()
        violation(LIMITS, serving(2, reported = 2)).shouldBeNull()
        violation(DELAYS, serving(8), patience = 2.seconds).shouldNotBeNull()
        violation(LIMITS, serving(3, reported = 2)).shouldNotBeNull()
    }

    /** Serves so many requests for `/offload` at a time. */
    private fun serving(atOnce: Int, reported: Int? = null): Sabotage {
        val threads = Semaphore(atOnce)
        val report = if (reported == null) report() else report().replace("\"/hello\":3", "\"/offload\":$reported")
        return { exchange, right ->
            val path = exchange.requestURI.path
            when {
                path == "/runtime" -> Reply(200, "application/json", report)
                path.startsWith("/offload") -> {
                    threads.acquire()
                    try {
                        right()
                    } finally {
                        threads.release()
                    }
                }
                else -> right()
            }
        }
    }

    private fun violation(sentence: String, sabotage: Sabotage, patience: Duration = 20.seconds): String? =
        ExampleServer(sabotage = sabotage).use { server ->
            val check = HttpContract.plainChecks.single { it.sentence == sentence }
            ContractClient(Access(server.base), "example", "VIRTUAL_THREADS", patience).use(check::violation)
        }

    /** Runs [block] while twice as many threads as the machine has cores compute, and leave it little. */
    private fun busy(block: () -> Unit) {
        val burning = List(2 * Runtime.getRuntime().availableProcessors()) {
            thread(isDaemon = true) { while (!Thread.interrupted()) Thread.onSpinWait() }
        }
        try {
            block()
        } finally {
            burning.forEach { it.interrupt() }
        }
    }

    private companion object {
        const val DELAYS = "/offload delays no other waiting request"
        const val LIMITS = "/offload serves no more requests at a time than /runtime reports"
    }
}
