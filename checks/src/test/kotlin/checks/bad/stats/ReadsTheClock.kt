package threadgauge.checks.bad.stats

import java.time.Instant
import kotlin.random.Random

/** Statistics that come out otherwise each time. */
class ReadsTheClock {
    fun nanos() = System.nanoTime()
    fun now(): Instant = Instant.now()
    fun chance() = Random.nextInt()
    fun process() = ProcessHandle.current().pid()
}
