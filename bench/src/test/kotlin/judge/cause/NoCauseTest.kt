package threadgauge.judge.cause

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Load
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.cause.PlaceTrouble
import threadgauge.model.profile.Frame
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason
import threadgauge.model.profile.Profile
import threadgauge.model.profile.Trace

class NoCauseTest {
    private val profile = ProfileOf(970.0, 51.5).group("http-nio-#-exec-#", 50, cpu = 0.5).profile()

    @Test
    fun `a cause needs no reason for being missing, and nobody misses one that nobody looked for`() {
        judged(profile).let {
            it.because.shouldNotBeNull()
            it.noCause.shouldBeNull()
        }
        judged().noCause.shouldBeNull()
    }

    @Test
    fun `a process that cannot be observed says why`() {
        val refused = NoProfile(NoProfileReason.REFUSED, "it does not respond")
        judged(noProfile = refused).noCause shouldBe refused
    }

    @Test
    fun `a load without answers, and others that had no profile while some had`() {
        judged(profile.copy(answered = 0)).noCause shouldBe NoProfile(NoProfileReason.NO_ANSWERS)
        val other = profile.copy(situation = "another")
        judged(other).noCause shouldBe NoProfile(NoProfileReason.NO_TIME)
        judged(other, windowMillis = 1_900.0).noCause shouldBe NoProfile(NoProfileReason.TOO_SHORT)
        judged(other, load = Load.Burst(100)).noCause shouldBe NoProfile(NoProfileReason.UNEVEN)
    }

    @Test
    fun `places without lines, and names that a tool made short`() {
        fun troubles(vararg frames: Frame) =
            placeTroublesOf(profile.copy(traces = listOf(Trace(frames.toList() + Frame("java.lang.Thread", "run", 9)))))
        troubles(Frame("shop.Shop", "order", 44, "Shop.kt"), Frame("shop.Cart", "add")).shouldBeEmpty()
        troubles(Frame("shop.Shop", "order")) shouldContainExactly listOf(PlaceTrouble.NO_LINES)
        val short = listOf("a.b", "a.c\$1", "a.Ab", "a.Main").map { Frame(it, "a", 1) }
        troubles(*short.toTypedArray()) shouldBe listOf(PlaceTrouble.SHORT_NAMES)
        troubles(Frame("shop.Io", "read", 1)).shouldBeEmpty()
        troubles().shouldBeEmpty()
    }

    private fun judged(
        vararg profiles: Profile,
        noProfile: NoProfile? = null,
        windowMillis: Double = 4_000.0,
        load: Load = Load.Users(50, 4_000_000_000),
    ): CellJudgement {
        val record = recordOf(mapOf("a" to listOf(1_000.0, 1_010.0, 990.0)))
        val trials = record.trials.map { trial ->
            trial.copy(samples = trial.samples.map { it.copy(windowMillis = windowMillis) })
        }
        val first = trials.first().copy(profiles = profiles.toList(), noProfile = noProfile)
        val experiment = record.plan.experiment
            .let { all -> all.copy(situations = all.situations.map { it.copy(load = load) }) }
        val asked = record.copy(
            plan = record.plan.copy(experiment = experiment), trials = listOf(first) + trials.drop(1),
        )
        return judge(asked).situations.single().cells.single()
    }
}
