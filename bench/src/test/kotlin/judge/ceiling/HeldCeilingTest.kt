package threadgauge.judge.ceiling

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.HeldThing
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.GroupWait
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.wording.equation

class HeldCeilingTest {
    private val pool = Holder.ConnectionPool("HikariPool-1", 10, 188.0, place = null, latencyShare = 0.9)
    private val waiting = GroupWait(TimeKind.DATABASE, null, "PostgreSQL", 0.98)
    private val threads = Holder.RequestThreads("http-nio-#-exec-#", ThreadRole.REQUEST, 200, 0.99, waiting)

    @Test
    fun `ten connections that are all in use at 490 per second are held for 20,4 ms each`() {
        val ceiling = heldCeiling(because(pool), 490.0).shouldNotBeNull()
        ceiling.reached shouldBe true
        ceiling.bySetting shouldBe true
        ceiling.requestsPerSecond shouldBe 490.0
        val cause = ceiling.cause.shouldBeInstanceOf<CeilingCause.Held>()
        cause.millisEach shouldBe (10 / 0.49 plusOrMinus 1e-9)
        ceiling.equation() shouldBe "10 connections of HikariPool-1 ÷ 20.4 ms each = 490/s"
    }

    @Test
    fun `threads that wait are such a pool, and threads that compute are none`() {
        heldCeiling(because(threads), 1_960.0)!!.equation() shouldBe "200 request threads ÷ 102 ms each = 1,960/s"
        val tasks = threads.copy(role = ThreadRole.BLOCKING_POOL, group = "mail-#", threads = 1)
        val cause = heldCeiling(because(tasks), 100.0)!!.also {
            it.equation() shouldBe "1 thread of mail-# ÷ 10 ms each = 100/s"
        }.cause
        (cause as CeilingCause.Held).of shouldBe HeldThing.TASK_THREADS
        heldCeiling(because(threads.copy(doing = null)), 1_960.0).shouldBeNull()
    }

    @Test
    fun `nothing is said of a pool of unknown size, of another holder, and without a figure`() {
        heldCeiling(because(pool.copy(max = null)), 490.0).shouldBeNull()
        heldCeiling(because(Holder.Unknown(emptyList())), 490.0).shouldBeNull()
        heldCeiling(null, 490.0).shouldBeNull()
        heldCeiling(because(pool), null).shouldBeNull()
        heldCeiling(because(pool), 0.0).shouldBeNull()
    }

    private fun because(holder: Holder) =
        Because(trial = 1, holder = holder, split = emptyList(), meanMicros = 1.0, inFlight = 1.0)
}
