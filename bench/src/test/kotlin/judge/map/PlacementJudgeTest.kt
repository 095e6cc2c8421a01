package threadgauge.judge.map

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.judge.advice.MadeUp
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Record
import threadgauge.model.advice.LimitedResource
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapMove
import threadgauge.model.judgement.map.MapPlacement
import threadgauge.model.profile.WaitCause
import threadgauge.wording.map.answerWords
import threadgauge.wording.map.limitWords

/** Each service has one known limit, and the figures that it would have. */
class PlacementJudgeTest {
    private val mapRecord: Record = exploredMap(
        mapOf("pool" to POOL, "loop" to LOOP, "twin" to LOOP, "dear" to DEAR), noise = 0.0, seed = 1,
    ).withModels(
        "pool" to ConcurrencyModel.PLATFORM_THREADS, "dear" to ConcurrencyModel.VIRTUAL_THREADS,
    )
    private val map: MapJudgement = judgeMap(mapRecord)

    private fun placed(record: Record): MapPlacement = placements(record, mapRecord, map).single()

    @Test
    fun `two hundred threads that wait 98 ms - without them a thousand users are served five times as fast`() {
        val made = ProfileOf(2_000.0, 500.0).group(TOMCAT, 200, cpu = 0.3)
            .waits(WaitCause.SOCKET_READ, TOMCAT, 196.0, Traces.calling("tomcat"), on = "127.0.0.1:9001")
        val placed = placed(MadeUp(cpuMicros = 150.0).under(1_000, 2_000.0, made).record())
        placed.model shouldBe ConcurrencyModel.PLATFORM_THREADS
        placed.like shouldBe "pool"
        placed.users shouldBe 1_000
        placed.waitMillis shouldBe (98.0 plusOrMinus 2.0)
        placed.cpuMicros.shouldNotBeNull() shouldBe (150.0 plusOrMinus 1.0)
        placed.isWithin shouldBe true
        // Columns without a border near them are coarse.
        placed.nearest.let { (it.work in 50..200) shouldBe true; (it.users in 631..1_585) shouldBe true }
        placed.limits.shouldBeEmpty()
        // 1,000 users ÷ 98 ms.
        placed["loop"].prediction.ratio.high shouldBe (5.05 plusOrMinus 0.15)
        placed["loop"].prediction.ratio.value shouldBeGreaterThan 4.0
        // Twice the CPU time of an empty request: two cores ÷ 286 µs.
        placed["dear"].let {
            it.limit.shouldNotBeNull().resource shouldBe LimitedResource.PROCESSOR
            it.prediction.perSecond.high shouldBe (7_000.0 plusOrMinus 400.0)
        }
        placed.moves.first().stack shouldBe "loop"
        placed.answerWords() shouldContain "Most would come of event loops as in LOOP: "
    }

    @Test
    fun `ten connections hold it, and no other model brings anything`() {
        val made = ProfileOf(490.0, 204.0).group(TOMCAT, 100, cpu = 0.1)
            .waits(WaitCause.SOCKET_READ, TOMCAT, 10.0, Traces.querying("tomcat"), on = "127.0.0.1:5432")
            .waits(WaitCause.PARK, TOMCAT, 90.0, Traces.awaitingConnection("tomcat"))
        val placed = placed(MadeUp().under(100, 490.0, made).record())
        placed.limits.first().resource shouldBe LimitedResource.CONNECTIONS
        placed.moves.forEach { it.prediction.ratio.value shouldBe (1.0 plusOrMinus 0.05) }
        placed.answerWords() shouldBe "No other model of the map is predicted to bring 5 % more throughput."
        placed.limitWords().shouldNotBeNull() shouldContain "10 connections of HikariCP"
    }

    @Test
    fun `a blocked event loop has the model of loops, and threads of its own free it`() {
        val made = ProfileOf(48.0, 1_000.0).group("reactor-http-nio-#", 1, cpu = 0.02)
            .waits(WaitCause.SLEEP, "reactor-http-nio-#", 0.97, Traces.sleeping("netty"))
            .seen("reactor-http-nio-#", 1.0, Traces.sleeping("netty"), state = "TIMED_WAITING")
        val placed = placed(MadeUp(cpuMicros = 400.0).under(50, 48.0, made).record())
        placed.model shouldBe ConcurrencyModel.EVENT_LOOP
        placed.like shouldBe "loop"
        placed.blockedMillis shouldBe (20.0 plusOrMinus 1.0)
        placed.waitMillis shouldBe (20.0 plusOrMinus 1.0)
        // 50 users ÷ 20 ms.
        placed["pool"].prediction.perSecond.high.shouldBeBetween(2_000.0, 2_500.0, 0.0)
    }

    @Test
    fun `a stack with the same numbers and no limit of its own brings nothing`() {
        val made = ProfileOf(960.0, 52.0).group("reactor-http-nio-#", 2, cpu = 0.2)
            .seen("reactor-http-nio-#", 2.0, Traces.idleLoop, state = "RUNNABLE")
        val placed = placed(MadeUp(cpuMicros = 200.0).under(50, 960.0, made).record())
        placed["twin"].prediction.ratio.value shouldBe (1.0 plusOrMinus 0.02)
        placed.moves.none { it.stack == "loop" } shouldBe true
    }

    @Test
    fun `what lies beyond the map is said to, and another machine as well`() {
        val made = ProfileOf(5.0, 900.0).group(TOMCAT, 10, cpu = 0.01)
            .waits(WaitCause.SOCKET_READ, TOMCAT, 4.5, Traces.calling("tomcat"), on = "127.0.0.1:9001")
        val record = MadeUp().under(5, 5.0, made).record()
        val placed = placed(record)
        placed.isWithin shouldBe false
        placed.nearest.users shouldBe 10
        placed.isOtherMachine shouldBe (record.environment.cpu != mapRecord.environment.cpu)
        val here = record.copy(environment = mapRecord.environment)
        placed(here).isOtherMachine shouldBe false
    }

    @Test
    fun `without a profile nothing is said`() {
        val made = ProfileOf(5.0, 900.0).group(TOMCAT, 10, cpu = 0.01)
        val record = MadeUp().under(5, 5.0, made).record()
        val bare = record.copy(trials = record.trials.map { it.copy(profiles = emptyList()) })
        placements(bare, mapRecord, map).shouldBeEmpty()
    }

    @Test
    fun `no stack of the map has the model, so what a model costs is left out`() {
        val loops = mapRecord.withModels("pool" to ConcurrencyModel.EVENT_LOOP, "dear" to ConcurrencyModel.EVENT_LOOP)
        val made = ProfileOf(2_000.0, 500.0).group(TOMCAT, 200, cpu = 0.3)
            .waits(WaitCause.SOCKET_READ, TOMCAT, 196.0, Traces.calling("tomcat"), on = "127.0.0.1:9001")
        val placed = placements(MadeUp(cpuMicros = 150.0).under(1_000, 2_000.0, made).record(), loops, map).single()
        placed.like.shouldBeNull()
        placed.moves.size shouldBe 4
        placed["dear"].prediction.perSecond.value shouldBe (placed["loop"].prediction.perSecond.value plusOrMinus 1.0)
        placed["pool"].prediction.ratio.value shouldBeLessThan 1.1
    }

    private operator fun MapPlacement.get(stack: String): MapMove = moves.single { it.stack == stack }

    private fun Record.withModels(vararg models: Pair<String, ConcurrencyModel>): Record = copy(
        plan = plan.copy(
            stacks = plan.stacks.map { stack -> stack.copy(model = models.toMap()[stack.name] ?: stack.model) },
        ),
    )

    private companion object {
        const val TOMCAT = "http-nio-#-exec-#"
    }
}
