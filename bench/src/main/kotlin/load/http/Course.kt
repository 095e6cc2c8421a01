package threadgauge.load.http

/**
 * Where the user of a slot is in its pass of a scenario, and what its steps have kept. One object for all passes of a
 * slot.
 *
 * Belongs to one event loop.
 */
internal class Course(valuesMax: Int) {
    /** Index of the scenario; -1 between two passes. */
    var scenario = -1
        private set

    /** Place in the course of the scenario. */
    var at = 0

    /** When its first request was intended, in `System.nanoTime`. */
    var beganNanos = 0L
        private set

    /** The pass counts: it did not begin in the lead-in. */
    var counts = false
        private set

    /** UTF-8, by the index of the value's name in its scenario; null until it is kept. */
    val values = arrayOfNulls<ByteArray>(valuesMax)

    val isUnderWay get() = scenario >= 0

    fun begin(scenario: Int, beganNanos: Long, counts: Boolean) {
        this.scenario = scenario
        this.beganNanos = beganNanos
        this.counts = counts
        at = 0
        values.fill(null)
    }

    fun end() {
        scenario = -1
    }
}
