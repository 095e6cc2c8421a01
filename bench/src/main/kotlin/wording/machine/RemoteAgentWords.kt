package threadgauge.wording.machine

import kotlin.math.abs
import threadgauge.model.AgentSeen
import threadgauge.wording.whole

/** What an agent of another machine is, in two sentences. */
fun AgentSeen.words(): String {
    val side = if (clock.aheadNanos < 0) "behind" else "ahead of"
    val apart = time(abs(clock.aheadNanos) / 1e3)
    return "$cores cores, $operatingSystem, Java $java; at most ${whole(ceiling.requestsPerSecond)} requests/s. " +
        "Its clock is $apart $side ours, known within ${time(clock.boundNanos / 1e3)}; a round trip takes " +
        "${time(clock.shortestNanos / 1e3)} to ${time(clock.longestNanos / 1e3)}."
}
