package threadgauge.judge

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.util.Base64
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import threadgauge.judge.doubt.KneeRule
import threadgauge.judge.doubt.doubtRules
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentHost
import threadgauge.model.AgentSeen
import threadgauge.model.ClockOffset
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Counts
import threadgauge.model.HandlerThread
import threadgauge.model.JvmCost
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Received
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.RuntimeReport
import threadgauge.model.Sample
import threadgauge.model.Surroundings
import threadgauge.model.Think
import threadgauge.model.TrialState
import threadgauge.model.WarmUpRule
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.plan.Resumption
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd
import threadgauge.model.plan.WarmUpIteration
import threadgauge.wording.doubt.seen
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.words

class JudgeTest {
    @Test
    fun `a clear lead wins, with its ratio and interval in the words`() {
        val fast = listOf(20_000.0, 20_200.0, 19_900.0)
        val judged =
            judge(recordOf(mapOf("fast" to fast, "slow" to listOf(10_000.0, 10_100.0, 9_950.0)))).situations.single()
        judged.verdict.shouldBeInstanceOf<Verdict.Fits>().stacks shouldBe listOf("fast")
        judged.verdictWords() shouldContain
            "For requests that are examples, fast has the highest throughput: 2.00 times (1."
    }

    @Test
    fun `the answer is one sentence for each situation, of the same meaning as the verdict`() {
        fun answer(record: Record) = judge(record).answer.single()
        val slow = listOf(10_000.0, 10_100.0, 9_950.0)
        val fast = listOf(20_000.0, 20_200.0, 19_900.0)
        answer(recordOf(mapOf("fast" to fast, "slow" to slow))) shouldBe
            "For requests that are examples, fast has 2.0 times the throughput of slow."
        answer(recordOf(mapOf("fast" to fast, "fair" to fast, "slow" to slow))) shouldContain
            "; fair has the same throughput."
        answer(
            recordOf(mapOf("fast" to fast, "fair" to listOf(16_000.0, 18_000.0, 20_000.0), "slow" to slow)),
        ) shouldContain
            "; fair cannot be told apart from fast."
        answer(recordOf(mapOf("a" to listOf(1.0), "b" to listOf(2.0)))) shouldBe
            "For requests that are examples, too few trials to name a winner: b 2/s, a 1/s."
        val pool = recordOf(
            mapOf("pool" to listOf(1_985.0, 1_990.0, 1_980.0), "loop" to listOf(3_960.0, 3_970.0, 3_965.0)),
            path = "/delay/100", users = 800, limits = mapOf("pool" to 200),
        )
        answer(pool) shouldBe
            "For requests that are examples, a limit, not the model, sets this result: " +
            "200 handler threads ÷ 100 ms = 2,000/s for pool; loop has the highest throughput."
        val uneven = recordOf(
            mapOf("pool" to listOf(1_985.0, 1_990.0, 1_980.0), "loop" to listOf(1_500.0, 2_100.0, 1_700.0)),
            path = "/delay/100", users = 800, limits = mapOf("pool" to 200),
        )
        answer(uneven) shouldBe
            "For requests that are examples, a limit, not the model, sets this result: " +
            "200 handler threads ÷ 100 ms = 2,000/s for pool; loop cannot be told apart from pool."
    }

    @Test
    fun `the same stack twice is no difference`() {
        val same = listOf(20_000.0, 20_020.0, 19_990.0)
        verdict(recordOf(mapOf("a" to same, "b" to same.reversed()))).shouldBeInstanceOf<Verdict.NoDifference>()
    }

    @Test
    fun `a difference smaller than the margin is no win, however sure it is`() {
        val record =
            recordOf(mapOf("a" to listOf(10_200.0, 10_201.0, 10_202.0), "b" to listOf(10_000.0, 10_001.0, 10_002.0)))
        verdict(record).shouldBeInstanceOf<Verdict.NoDifference>()
    }

    @Test
    fun `overlapping intervals cannot tell, and say what would help`() {
        val record =
            recordOf(mapOf("a" to listOf(12_000.0, 9_000.0, 15_000.0), "b" to listOf(10_000.0, 13_000.0, 9_500.0)))
        verdict(record).shouldBeInstanceOf<Verdict.CannotTell>()
        words(record) shouldContain "about 17 of each stack are enough"
    }

    @Test
    fun `two leaders that do not differ are named together`() {
        val record = recordOf(
            mapOf(
                "a" to listOf(20_000.0, 20_010.0, 20_005.0),
                "b" to listOf(20_020.0, 19_990.0, 20_010.0),
                "c" to listOf(9_000.0, 9_010.0, 9_020.0),
            ),
        )
        val fits = verdict(record).shouldBeInstanceOf<Verdict.Fits>()
        fits.stacks.toSet() shouldBe setOf("a", "b")
        words(record) shouldContain "has the same throughput"
    }

    @Test
    fun `a result at the ceiling of a setting was decided by the setting`() {
        val record = recordOf(
            mapOf("pool" to listOf(1_985.0, 1_990.0, 1_980.0), "loop" to listOf(3_960.0, 3_970.0, 3_965.0)),
            path = "/delay/100", users = 400, limits = mapOf("pool" to 200),
        )
        val judged = judge(record).situations.single()
        judged.cells.first { it.stack == "pool" }.ceilings.first { it.reached }
            .requestsPerSecond shouldBe (2_000.0 plusOrMinus 0.01)
        judged.verdict.shouldBeInstanceOf<Verdict.DecidedBySetting>()
        judged.verdictWords() shouldContain "200 handler threads ÷ 100 ms = 2,000/s for pool"
        judged.verdictWords() shouldContain "400 users ÷ 100 ms = 4,000/s for loop"
    }

    @Test
    fun `of a load that is few answers long, whole answers alone make the ceiling`() {
        val record = recordOf(
            mapOf("pool" to listOf(29.0, 29.0, 29.0), "loop" to listOf(130.0, 130.0, 130.0)),
            path = "/delay/1500", users = 300, limits = mapOf("pool" to 50),
        )
        val judged = judge(record.withLoad { it.copy(rampInNanos = 2_000_000_000) })
        val reached = judged.situations.single().cells.flatMap { it.ceilings }.filter { it.reached }
        // In 5 s a thread ends three answers of 1.5 s. Who comes in within the first half second has three, and who
        // comes later two.
        reached.map { "${it.words} = ${it.requestsPerSecond}" }.toSet() shouldBe setOf(
            "300 users × 2.25 whole answers of 1500 ms ÷ 5 s = 135.0",
            "50 handler threads × 3 whole answers of 1500 ms ÷ 5 s = 30.0",
        )
    }

    @Test
    fun `who thinks asks no more often than that, whatever the server takes`() {
        // 20 users, each of whom thinks and then waits for as long as is left of his turn.
        fun judgedOf(thinkMillis: Double, waitMillis: Double): SituationJudgement {
            val rates = listOf(0.999, 1.0, 1.001).map { it * 20 * 1e3 / (thinkMillis + waitMillis) }
            val record = recordOf(mapOf("a" to rates, "b" to rates.reversed()), path = "/hello", users = 20)
            val waiting = record.copy(trials = record.trials.map { trial ->
                trial.copy(
                    samples = trial.samples.map { it.copy(latency = it.latency.copy(meanMicros = waitMillis * 1e3)) },
                )
            })
            val thinking = Think((thinkMillis * 0.5e6).toLong(), (thinkMillis * 1.5e6).toLong())
            return judge(waiting.withLoad { it.copy(think = thinking) }).situations.single()
        }
        judgedOf(100.0, 2.0).verdict.shouldBeInstanceOf<Verdict.DecidedBySetting>()
        judgedOf(100.0, 2.0)
            .verdictWords() shouldContain "20 users ÷ 100 ms think time = 200/s for a and b"
        // Where they wait for as long as they think it holds nobody, and a load of fewer than ten thoughts says
        // nothing: its first answers need none.
        judgedOf(100.0, 100.0).verdict.shouldBeInstanceOf<Verdict.NoDifference>()
        judgedOf(600.0, 20.0).verdict.shouldBeInstanceOf<Verdict.NoDifference>()
    }

    @Test
    fun `of users who come in one by one, the ceiling counts only the time that they are there`() {
        val record = recordOf(mapOf("a" to listOf(156.0, 157.0, 158.0)), path = "/delay/100", users = 20)
        val judged = judge(record.withLoad { it.copy(rampInNanos = 2_000_000_000) })
        val reached = judged.situations.single().cells.single().ceilings.filter { it.reached }
        reached.map { "${it.words} = ${it.requestsPerSecond}" } shouldBe listOf(
            "20 users × 80 % of the load ÷ 100 ms = 160.0",
        )
    }

    private fun Record.withLoad(change: (Load.Users) -> Load.Users): Record {
        val situations = plan.experiment.situations.map { it.copy(load = change(it.load as Load.Users)) }
        return copy(plan = plan.copy(experiment = plan.experiment.copy(situations = situations)))
    }

    @Test
    fun `fewer than three trials are indicative and name no winner`() {
        val judgement =
            judge(recordOf(mapOf("fast" to listOf(20_000.0, 20_100.0), "slow" to listOf(10_000.0, 10_010.0))))
        judgement.indicative.shouldBeTrue()
        judgement.situations.single().verdict.shouldBeInstanceOf<Verdict.Indicative>()
        judgement.situations.single().verdictWords() shouldNotContain "highest throughput"
        judgement.situations.single().cells.first().throughput!!.low.shouldBeNull()
    }

    @Test
    fun `an invalid cell neither wins nor loses`() {
        val record = recordOf(
            mapOf(
                "cheat" to listOf(90_000.0, 90_100.0, 90_050.0),
                "a" to listOf(10_000.0, 10_010.0, 10_005.0),
                "b" to listOf(5_000.0, 5_010.0, 5_005.0),
            ),
        )
        val broken = record.copy(trials = record.trials.map { trial ->
            if (trial.stack != "cheat") return@map trial
            val sample = trial.samples.single()
            val failures = mapOf(Outcome.WRONG_BODY to sample.counts.sent / 10)
            trial.copy(samples = listOf(sample.copy(counts = sample.counts.copy(failures = failures))))
        })
        val judged = judge(broken).situations.single()
        judged.cells.first().validity shouldBe Validity.INVALID
        judged.verdict.shouldBeInstanceOf<Verdict.Fits>().stacks shouldBe listOf("a")
        judged.verdictWords() shouldContain " cheat failed 10 % of its requests."
        judge(broken).answer.single() shouldContain "; cheat failed 10 % of its requests."
        judged.comparisons.none { it.stack == "cheat" || it.other == "cheat" }.shouldBeTrue()
    }

    @Test
    fun `the cheapest in CPU is named only where it can be told from all others`() {
        val rates = listOf(10_000.0, 10_010.0, 10_005.0)
        val clear = recordOf(mapOf("a" to rates, "b" to rates), cpuMicros = mapOf("a" to 30.0, "b" to 60.0))
        words(clear) shouldContain "Least CPU per request: a with 30 µs, then b with 60 µs"
        words(recordOf(mapOf("a" to rates, "b" to rates))) shouldNotContain "Least CPU"
    }

    @Test
    fun `a sound sample raises no doubt`() {
        judge(recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0)))).situations.single().cells.single()
            .doubts.shouldBeEmpty()
    }

    @Test
    fun `each doubt is raised by what it looks for`() {
        doubtsOf { it.copy(latency = it.latency.copy(meanMicros = it.latency.meanMicros * 0.8)) } shouldContain
            "littles-law"
        doubtsOf { it.copy(cost = it.cost.copy(steal = 0.05)) } shouldContain "stolen-time"
        doubtsOf { it.copy(agent = it.agent.copy(collectionMillis = 100.0)) } shouldContain "agent-collected-garbage"
        doubtsOf { it.copy(missingShare = 0.5) } shouldContain "agents-lost"
        doubtsOf { it.copy(latency = it.latency.copy(count = 500)) } shouldContain "few-samples"
        doubtsOf { it.copy(counts = it.counts.copy(unfinished = 50)) } shouldContain "failures"
        doubtsOf { it.copy(putOffMillis = null) } shouldContain "left-over"
        doubtsOf { it.copy(putOffMillis = 205_000.0) } shouldContain "left-over"
        doubtsOf { it.copy(cost = it.cost.copy(jvm = JvmCost(1, 2_090_000.0, 0.0))) } shouldContain "impossible-counter"
    }

    @Test
    fun `the network between agents elsewhere and the server is told where latencies feel it`() {
        // The p50 of these samples is what decides.
        val micros = oneStack().trials.first().samples.single().latency.p50Micros
        fun doubts(vararg shares: Double) = oneStack().let { record ->
            val reach = listOf(shares.map { (it * micros * 1_000).toLong() })
            judge(record.copy(trials = record.trials.map { it.copy(reachNanos = reach) })).situations.single()
                .cells.single().doubts
        }
        doubts(0.01, 0.02, 0.03).shouldBeEmpty()
        doubts(0.2, 0.21, 0.22).single().let {
            it.id shouldBe DoubtId.NETWORK_BETWEEN
            it.validity shouldBe Validity.VALID
        }
        doubts(0.2, 0.21, 0.9).single().validity shouldBe Validity.SUSPECT
    }

    @Test
    fun `clocks that may be apart are told where several agents start together`() {
        fun doubts(vararg boundMicros: Long) = oneStack().let { record ->
            val agents = boundMicros.map {
                AgentSeen(
                    AgentHost("load"), "25", "Linux", 4, AgentCeiling(50_000.0, 20.0),
                    ClockOffset(0, it * 1_000, 0, it * 2_000, it * 2_000, it * 3_000),
                )
            }
            judge(record.copy(environment = record.environment.copy(remoteAgents = agents))).doubts.map { it.id }
        }
        doubts(200, 900) shouldNotContain DoubtId.CLOCKS_APART
        doubts(200, 2_500) shouldContain DoubtId.CLOCKS_APART
        // One agent starts together with itself.
        doubts(2_500) shouldNotContain DoubtId.CLOCKS_APART
    }

    @Test
    fun `the last request of each user may lie beyond the end of the load`() {
        // Four users who wait 2 s for each answer send three requests each in 5 s, and have two answers.
        fun of(sent: Long) = doubtsOf(users = 4) {
            it.copy(counts = Counts(sent, sent, sent, 0, 0), latency = it.latency.copy(meanMicros = 2_000_000.0))
        }
        of(12) shouldNotContain "littles-law"
        // Seven of ten seconds of waiting are seen where four users had twenty.
        of(7) shouldContain "littles-law"
        of(18) shouldContain "littles-law"
    }

    @Test
    fun `a model that was not at work makes a cell invalid`() {
        fun doubts(model: ConcurrencyModel, virtual: Boolean) = oneStack().let { record ->
            val runtime = RuntimeReport("a", "f", "e", model, HandlerThread("t-1", virtual), "25", 1, 1, emptyList(), 1)
            judge(record.copy(trials = record.trials.map { it.copy(runtime = runtime) })).situations.single()
                .cells.single().doubts
        }
        doubts(ConcurrencyModel.VIRTUAL_THREADS, virtual = false).single().validity shouldBe Validity.INVALID
        doubts(ConcurrencyModel.PLATFORM_THREADS, virtual = true).single().id shouldBe DoubtId.MISLABELLED_MODEL
        doubts(ConcurrencyModel.VIRTUAL_THREADS, virtual = true).shouldBeEmpty()
        doubts(ConcurrencyModel.EVENT_LOOP, virtual = false).shouldBeEmpty()
    }

    @Test
    fun `answers of another length are unequal work`() {
        val rates = listOf(1_000.0, 1_001.0, 1_002.0)
        val record = recordOf(mapOf("a" to rates, "b" to rates, "c" to rates)) { sample ->
            sample.copy(received = Received(
                bodyBytes = sample.counts.answered * 14, unpackedBytes = sample.counts.answered * 14,
            ))
        }
        fun names(record: Record) =
            judge(record).situations.single().cells.associate { it.stack to it.doubts.map { doubt -> doubt.id.id } }
        names(record).values.flatten().shouldBeEmpty()
        val shorter = record.copy(trials = record.trials.map { trial ->
            if (trial.stack != "c") return@map trial
            trial.copy(
                samples = trial.samples.map {
                    it.copy(received = Received(it.counts.answered * 7, it.counts.answered * 7))
                },
            )
        })
        names(shorter) shouldBe mapOf("a" to emptyList(), "b" to emptyList(), "c" to listOf("unequal-work"))
    }

    @Test
    fun `a percentile is that of all requests, and its interval is in the same unit`() {
        var number = 0
        val record = recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0))) { sample ->
            val factor = listOf(1.0, 1.1, 1.2)[number++]
            val latencies = Histogram(3).also { for (i in 1..1_000) it.recordValue((i * 10_000 * factor).toLong()) }
            val buffer = ByteBuffer.allocate(latencies.neededByteBufferCapacity)
            val length = latencies.encodeIntoCompressedByteBuffer(buffer)
            sample.copy(distribution = Base64.getEncoder().encodeToString(buffer.array().copyOf(length)))
        }
        val figure = judge(record).situations.single().cells.single().p99Millis!!
        // Of three times a thousand latencies up to 10, 11 and 12 ms thirty are above 11.64 ms, all of the third.
        figure.value shouldBe (11.64 plusOrMinus 0.02)
        (figure.low!! in 9.0..11.64 && figure.high!! in 11.64..15.0).shouldBeTrue()
    }

    @Test
    fun `stacks are compared as on equal cores where the core's speed was watched`() {
        val works = listOf(1.00, 1.06, 0.97, 1.10, 1.02, 1.08, 0.98, 1.03, 1.01, 1.09)
        val rates = works.mapIndexed { i, work -> (if (i < 5) 1_100.0 else 1_000.0) / work * (1 + 0.002 * (i % 3)) }
        val stacks = mapOf("fast" to rates.take(5), "slow" to rates.drop(5))
        fun comparison(watched: Boolean): Comparison {
            val seen = works.map { Surroundings(referenceDuringMicros = 1_600 * it) }.iterator()
            return judge(recordOf(stacks) { if (watched) it.copy(surroundings = seen.next()) else it })
                .situations.single().comparisons.single()
        }
        comparison(watched = false).run { outcome shouldBe ComparisonOutcome.CANNOT_TELL; onEqualCores shouldBe false }
        val equal = comparison(watched = true)
        equal.outcome shouldBe ComparisonOutcome.MORE
        equal.onEqualCores shouldBe true
        equal.ratio shouldBe (1.1 plusOrMinus 0.01)
        (1.1 in equal.low!!..equal.high!!) shouldBe true
    }

    /**
     * As measured: of three trials of four stacks, one met other cores than the others, and two thirds of what is known
     * are its.
     */
    @Test
    fun `what is known of the core's speed is left out where it would hide a difference of twenty times`() {
        val stacks = mapOf(
            "quick" to listOf(16_682.0, 11_581.0, 12_275.0),
            "script" to listOf(1_339.0, 1_419.0, 1_462.0),
            "lock" to listOf(565.0, 555.0, 603.0),
            "row" to listOf(1_067.0, 1_139.0, 1_164.0),
        )
        val works =
            listOf(2_226, 2_176, 2_092, 2_003, 1_993, 2_005, 2_014, 2_025, 2_013, 2_080, 2_015, 1_987).iterator()
        val record =
            recordOf(stacks) { it.copy(surroundings = Surroundings(referenceDuringMicros = works.next().toDouble())) }
        val pairs = judge(record).situations.single().comparisons
        pairs.filter { it.stack == "quick" }
            .map { it.outcome to it.onEqualCores } shouldBe List(3) { ComparisonOutcome.MORE to false }
    }

    @Test
    fun `an odd trial is told and kept`() {
        val cell = judge(recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0, 600.0, 999.0)))).situations.single()
            .cells.single()
        cell.doubts.single { it.id == DoubtId.OUTLIER }
            .seen shouldContain "throughput of trial 4 is 40 % lower than that of the others: a severe outlier"
        cell.throughput!!.values.min() shouldBe (600.0 plusOrMinus 0.5)
    }

    @Test
    fun `what else went on at the machine is doubted, each by its own limit`() {
        fun doubts(around: Surroundings) = doubtsOf { it.copy(surroundings = around) }
        val calm = Surroundings(1_600.0, 1_620.0, 1_650.0, 1_640.0, 1_630.0, 3_000.0, 2_990.0, 0, 3, 0.02, 300, 20_000)
        doubts(calm).shouldBeEmpty()
        doubts(calm.copy(otherBusyShare = 0.08)) shouldBe listOf("other-programs")
        doubts(calm.copy(referenceAfterMicros = 1_900.0, referenceAfterMeanMicros = 1_900.0)) shouldBe listOf("noise")
        doubts(calm.copy(referenceBeforeMeanMicros = 3_200.0)) shouldBe listOf("noise")
        doubts(calm.copy(megahertzAfter = 2_400.0)) shouldBe listOf("core-speed")
        doubts(calm.copy(swappedOutPages = 500)) shouldBe listOf("swapping")
        doubts(calm.copy(maxOpenFiles = 19_500)) shouldBe listOf("file-limit")
        doubts(Surroundings()).shouldBeEmpty()
    }

    @Test
    fun `a run that was carried on says so, and is not trusted less`() {
        val record = oneStack().copy(resumed = listOf(Resumption("2026-01-02T00:00:00Z", RunState.RUNNING, null, 2)))
        val doubt = judge(record).doubts.single()
        doubt.id shouldBe DoubtId.CARRIED_ON
        doubt.validity shouldBe Validity.VALID
    }

    @Test
    fun `every rule has an id of its own`() {
        // A search for the knee asks some of the same questions, of its probes.
        val (ofSearches, ofRuns) = doubtRules.partition { it is KneeRule }
        listOf(ofSearches, ofRuns).forEach { rules -> rules.map { it.id }.toSet().size shouldBe rules.size }
    }

    @Test
    fun `a load that all serve whole is decided by p99 latency`() {
        val rates = listOf(10_000.0, 10_000.0, 10_000.0)
        val record = recordOf(mapOf("soon" to rates, "late" to rates))
        val open = record.plan.experiment.situations.single().copy(load = Load.Rate(10_000.0, 5_000_000_000))
        val asked = record.copy(
            plan = record.plan.copy(experiment = record.plan.experiment.copy(situations = listOf(open))),
            trials = record.trials.map { trial ->
                val factor = if (trial.stack == "late") 3.0 else 1.0
                val p99 = 1_000 * factor + trial.number
                trial.copy(samples = trial.samples.map { it.copy(latency = it.latency.copy(p99Micros = p99)) })
            },
        )
        val judged = judge(asked).situations.single()
        judged.decidedBy shouldBe Compared.P99
        judged.verdict.shouldBeInstanceOf<Verdict.Fits>().stacks shouldBe listOf("soon")
        judged.verdictWords() shouldContain
            "all serve the whole load, and soon has the lowest p99 latency: that of late is 3.0"
    }

    @Test
    fun `a processor at its limit is a ceiling that no setting makes`() {
        val rates = listOf(19_900.0, 19_950.0, 19_920.0)
        val judged = judge(recordOf(mapOf("a" to rates, "b" to rates), cpuMicros = mapOf("a" to 50.0, "b" to 40.0)))
            .situations.single()
        val ceiling = judged.cells.first().ceilings.single()
        ceiling.words shouldBe "1 core ÷ 50 µs of CPU per request"
        ceiling.reached.shouldBeTrue()
        ceiling.bySetting.shouldBeFalse()
        judged.cells.last().ceilings.single().reached.shouldBeFalse()
        judged.verdict.shouldBeInstanceOf<Verdict.NoDifference>()
    }

    @Test
    fun `an agent near its ceiling and a target that was never steady are doubts`() {
        val record = oneStack()
        val ceiling = record.environment.copy(agentCeiling = AgentCeiling(1_200.0, 9.0))
        doubtNames(record.copy(environment = ceiling)) shouldContain "agent-near-its-ceiling"
        val iteration = WarmUpIteration(1, "hello", 0.0, 900.0, 10.0, null)
        val unsteady = record.warmedUp(WarmUp(listOf(iteration), false, 30_000.0, reason = "budget used up"))
        judge(unsteady).situations.single().cells.single().doubts.single { it.id == DoubtId.NOT_STEADY }
            .seen shouldContain "after 30 s of warm-up (budget used up)"
    }

    @Test
    fun `a cold measurement that was asked for is told once, about the whole run`() {
        val experiment = oneStack().plan.experiment.copy(warmUp = WarmUpRule.NONE)
        val asked = oneStack().let { it.copy(plan = it.plan.copy(experiment = experiment)) }
        val cold = judge(asked.warmedUp(WarmUp(emptyList(), false, 0.0, WarmUpEnd.NONE_ASKED)))
        cold.situations.single().cells.single().doubts.map { it.id.id } shouldNotContain "not-steady"
        cold.doubts.single { it.id == DoubtId.MEASURED_COLD }.validity shouldBe Validity.VALID
        judge(oneStack()).doubts.map { it.id.id } shouldNotContain "measured-cold"
    }

    private fun Record.warmedUp(warmUp: WarmUp) = copy(trials = trials.map { it.copy(warmUp = warmUp) })

    @Test
    fun `a machine that was busy before the run is a doubt about the whole run`() {
        fun doubts(busy: Double?) =
            oneStack().let { judge(it.copy(environment = it.environment.copy(busyBefore = busy))).doubts }
        doubts(0.4).single().seen shouldContain "40 %"
        doubts(0.05).shouldBeEmpty()
        doubts(null).shouldBeEmpty()
    }

    @Test
    fun `a trial that failed is a doubt with its reason, and a stack without any figure is invalid`() {
        val record = recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0), "b" to listOf(1.0, 1.0, 1.0)))
        val failed = record.copy(trials = record.trials.map {
            if (it.stack != "b") return@map it
            it.copy(state = TrialState.FAILED, stateReason = "it ended with exit code 1", samples = emptyList())
        })
        val cell = judge(failed).situations.single().cells.last()
        cell.validity shouldBe Validity.INVALID
        cell.doubts.single().seen shouldContain "exit code 1"
        verdict(failed).shouldBeInstanceOf<Verdict.CannotTell>()
    }

    @Test
    fun `an empty record that was interrupted at once is still judged`() {
        val record = recordOf(mapOf("a" to listOf(1.0), "b" to listOf(1.0)))
            .copy(trials = emptyList(), state = RunState.INTERRUPTED)
        val judgement = judge(record)
        judgement.situations.single().verdict.shouldBeInstanceOf<Verdict.CannotTell>()
        judgement.doubts.map { it.id.id } shouldContain "not-complete"
        judgement.indicative.shouldBeTrue()
        judgement.answer.isEmpty().shouldBeFalse()
    }

    private fun verdict(record: Record) = judge(record).situations.single().verdict

    private fun words(record: Record) = judge(record).situations.single().verdictWords()

    private fun oneStack(users: Int = 50, edit: (Sample) -> Sample = { it }) =
        recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0)), users = users, edit = edit)

    private fun doubtsOf(users: Int = 50, edit: (Sample) -> Sample) = doubtNames(oneStack(users, edit))

    private fun doubtNames(record: Record) = judge(record).situations.single().cells.single().doubts.map { it.id.id }
}
