package threadgauge.plan

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Think
import threadgauge.report.exampleRecord

class ProfileLoadTest {
    @Test
    fun `a profile has half of what was measured, and four seconds at most`() {
        of(5).countedNanos shouldBe 2_500 * MILLI
        of(60).countedNanos shouldBe 4_000 * MILLI
    }

    @Test
    fun `the load is like the measured one, with a lead-in of a second or two latencies`() {
        of(5).load shouldBe USERS.copy(forNanos = 3_500 * MILLI)
        of(10).leadInNanos shouldBe 1_000 * MILLI
        profileLoad(USERS, 10_000 * MILLI, latencyNanos = 2_000 * MILLI)!!.leadInNanos shouldBe 4_000 * MILLI
        profileLoad(USERS, 10_000 * MILLI, isFirst = true)!!.leadInNanos shouldBe 3_000 * MILLI
        // Where a queue grows, latencies are no measure of it.
        profileLoad(USERS, 10_000 * MILLI, latencyNanos = 9_000 * MILLI)!!.leadInNanos shouldBe 4_000 * MILLI
    }

    @Test
    fun `what was measured for less than two seconds has none`() {
        profileLoad(USERS, 1_999 * MILLI).shouldBeNull()
        profileLoad(USERS, 2_000 * MILLI).shouldNotBeNull().countedNanos shouldBe 1_000 * MILLI
    }

    @Test
    fun `a load of which no part is like the whole has none`() {
        for (load in listOf(Load.Burst(5), Load.Ramp(1.0, 9.0, 60_000 * MILLI), Load.Loops(5, 10))) {
            profileLoad(load, 60_000 * MILLI).shouldBeNull()
        }
    }

    @Test
    fun `only the first block has profiles, and none without causes`() {
        val plan = exampleRecord().plan
        val first = plan.trials.first { it.number == 1 }
        plan.hasProfiles(first) shouldBe true
        plan.hasProfiles(first.copy(number = 2)) shouldBe false
        plan.withoutCauses(true).hasProfiles(first) shouldBe false
        plan.withoutCauses(false).hasProfiles(first) shouldBe true
    }

    private fun of(seconds: Long) = profileLoad(USERS, seconds * 1_000 * MILLI).shouldNotBeNull()

    private companion object {
        const val MILLI = 1_000_000L
        val USERS = Load.Users(50, 60_000 * MILLI, Think(1_000 * MILLI))
    }
}
