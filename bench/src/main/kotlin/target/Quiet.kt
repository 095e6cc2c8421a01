package threadgauge.target

import java.time.Duration

/** For how long the processes [family] have used next to no CPU, looked at now and then. Belongs to one thread. */
internal class Quiet(private val family: () -> Set<Long>) {
    private var lookedNanos = System.nanoTime()
    private var quietSince = lookedNanos
    private var spent = cpu()

    /** In nanoseconds; looks anew if the last look was [LOOK_NANOS] ago or more. */
    fun nanos(): Long {
        val now = System.nanoTime()
        if (now - lookedNanos >= LOOK_NANOS) {
            val before = spent
            spent = cpu()
            if ((spent - before).toNanos() > (now - lookedNanos) * BUSY_SHARE) quietSince = now
            lookedNanos = now
        }
        return now - quietSince
    }

    private fun cpu(): Duration = family().fold(Duration.ZERO) { sum, pid ->
        sum + (ProcessHandle.of(pid).flatMap { it.info().totalCpuDuration() }.orElse(Duration.ZERO))
    }

    private companion object {
        const val LOOK_NANOS = 500_000_000L

        /** Of one core. Housekeeping of an idle JVM takes some thousandths, a start on a core that is shared tenths. */
        const val BUSY_SHARE = 0.05
    }
}
