package threadgauge.target

import java.time.Duration

/** Measures how long the processes [family] have used almost no CPU. Belongs to one thread. */
internal class Quiet(private val family: () -> Set<Long>) {
    private var lookedNanos = System.nanoTime()
    private var quietSince = lookedNanos
    private var spent = cpu()

    /** Nanoseconds. Reads the CPU time again if the last reading is at least [LOOK_NANOS] old. */
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

        /**
         * CPU time above this share of one core counts as busy. Housekeeping of an idle JVM takes some thousandths of a
         * core, a start on a shared core some tenths.
         */
        const val BUSY_SHARE = 0.05
    }
}
