package threadgauge.load.agent.arrivals

import java.util.SplittableRandom
import threadgauge.load.http.Course
import threadgauge.load.http.Question
import threadgauge.load.http.Slot
import threadgauge.load.http.SplitMix
import threadgauge.load.record.ScenarioRecorder
import threadgauge.load.record.StepRecorder
import threadgauge.model.Outcome
import threadgauge.model.Think
import threadgauge.model.request.Scenario

/**
 * Leads the users of one event loop through their scenarios: which one a pass is of, what is asked next, and what came
 * of it. When it is asked is decided by its caller.
 *
 * Belongs to that loop.
 */
internal class Courses(
    private val scenarios: List<Scenario>,
    private val questions: List<List<Question>>,
    private val seed: Long,
    part: Int,
) {
    /** In the order of the scenarios. */
    val recorders = scenarios.map { ScenarioRecorder(it.steps.size) }

    private val courses = scenarios.map { it.course.toIntArray() }
    private val ends = scenarios.runningFold(0.0) { sum, scenario -> sum + scenario.weight }.drop(1)
    private val random = SplittableRandom(seed + part)

    /** The pause after the last step of the pass that has ended last. */
    var restNanos = 0L
        private set

    /**
     * A user comes to [slot] with a pass of its own, whose first request is intended for [intendedNanos]. Which
     * scenario it is depends on the seed and on the number of the pass alone.
     */
    fun begin(slot: Slot, intendedNanos: Long, counts: Boolean) {
        val scenario = drawn(slot.number)
        slot.forget()
        slot.course!!.begin(scenario, intendedNanos, counts)
        if (counts) recorders[scenario].began()
    }

    /** Prepares [slot] for the step at which its user is. */
    fun pose(slot: Slot) {
        val course = slot.course!!
        slot.question = questions[course.scenario][stepOf(course)]
    }

    fun answered(slot: Slot, outcome: Outcome?, nowNanos: Long) {
        if (!slot.counts) return
        val step = recorderOf(slot.course!!)
        if (outcome == null) step.answered(slot.intendedNanos, slot.sentNanos, nowNanos)
        else step.failed(slot.intendedNanos, nowNanos, outcome)
    }

    /**
     * The user of [slot] goes on after a step that [succeeded] or not. Returns the pause before the next step, in
     * nanoseconds; -1 if the pass has ended.
     */
    fun next(slot: Slot, succeeded: Boolean, nowNanos: Long): Long {
        val course = slot.course!!
        val scenario = scenarios[course.scenario]
        val step = scenario.steps[stepOf(course)]
        if (!succeeded && !step.goesOn) {
            if (course.counts) recorders[course.scenario].failed()
            course.end()
            restNanos = 0
            return ENDED
        }
        val pause = pause(step.think)
        course.at++
        if (course.at < courses[course.scenario].size) return pause
        if (course.counts) recorders[course.scenario].completed(course.beganNanos, nowNanos)
        course.end()
        restNanos = pause
        return ENDED
    }

    /**
     * The load has ended, or will before the next step. A request that is due [isUnsent], or it [isUnfinished]; neither
     * in a pause.
     */
    fun cut(slot: Slot, nowNanos: Long, isUnsent: Boolean = false, isUnfinished: Boolean = false) {
        val course = slot.course!!
        if (!course.isUnderWay) return
        val step = recorders[course.scenario].steps[stepOf(course)]
        if (slot.counts && isUnsent) step.unsent(slot.intendedNanos, nowNanos)
        if (slot.counts && isUnfinished) step.unfinished(slot.intendedNanos, nowNanos)
        if (course.counts) recorders[course.scenario].cut()
        course.end()
    }

    private fun recorderOf(course: Course): StepRecorder = recorders[course.scenario].steps[stepOf(course)]

    private fun stepOf(course: Course) = courses[course.scenario][course.at]

    private fun pause(think: Think?): Long =
        if (think == null) 0 else random.nextLong(think.minNanos, think.maxNanos + 1)

    private fun drawn(number: Long): Int {
        if (scenarios.size == 1) return 0
        val bits = SplitMix.mix(seed + SALT + number * SplitMix.GOLDEN) ushr SPARE_BITS
        val at = bits * UNIT * ends.last()
        var index = 0
        while (index < ends.lastIndex && at >= ends[index]) index++
        return index
    }

    private companion object {
        const val ENDED = -1L

        /** Makes the draws independent of those of placeholders. */
        const val SALT = 0x5CE7A210L

        /** The mantissa of a double has 53 bits. */
        const val SPARE_BITS = 11
        const val UNIT = 1.0 / (1L shl 53)
    }
}
