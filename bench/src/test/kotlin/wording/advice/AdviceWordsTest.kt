package threadgauge.wording.advice

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Proof
import threadgauge.model.advice.Range
import threadgauge.model.advice.SettingKind
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.model.judgement.advice.ServiceLimit
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.profile.Frame

class AdviceWordsTest {
    @Test
    fun `what holds the service, with the formula`() {
        Advice("shop", "s", now, listOf(pool, cores), emptyList()).words() shouldBe
            "It serves 780/s with a mean latency of 128 ms. " +
            "The lowest limit that is known: 10 connections of HikariCP ÷ 12.0 ms = 830/s."
        cores.equation() shouldBe "1 core ÷ 0.500 ms = 2,000/s"
        pool.copy(isEstimated = true).words() shouldBe "about 10 connections of HikariCP"
        ServiceLimit(LimitedResource.LOCK, "shop.Stock", 1.0, 2_000.0, 500.0).equation() shouldBe
            "the lock Stock ÷ 2 ms = 500/s"
        ServiceLimit(LimitedResource.ARRIVALS, perSecond = 200.0).equation() shouldBe
            "the arrival rate of the load = 200/s"
    }

    @Test
    fun `a gain has its sizes, its interval and the next limit`() {
        val change = AdvisedChange(change, 10.0, 20.0, "pool=20", outcome = ChangeOutcome.Gain(prediction, cores))
        change.heading() shouldBe "A larger pool, 10 → 20"
        change.how() shouldBe "pool=20"
        change.expectation() shouldBe
            "1,560/s (1,500 to 1,600), 2 times as much, in 64 ms (60 to 70); then 1 core holds it"
        prediction.copy(isAtMost = true).words() shouldBe "up to 1,560/s, 2 times as much, if nothing of it is needed"
        prediction.copy(perSecond = Range(1_500.0, 1_560.0, 3_900.0), isAtLeast = true).words() shouldBe
            "at least 1,560/s, 2 times as much, and up to 3,900/s once its code is compiled, which it was not yet"
    }

    @Test
    fun `nothing to gain is said with the limit that stands`() {
        val same = prediction.copy(perSecond = Range(780.0, 780.0, 780.0))
        val nothing = AdvisedChange(change, outcome = ChangeOutcome.Nothing(same, pool))
        nothing.expectation() shouldBe
            "nothing to gain: 10 connections of HikariCP hold it at 830/s, and it serves 780/s"
        val open = ServiceLimit(LimitedResource.ARRIVALS, perSecond = 780.0)
        nothing.copy(outcome = ChangeOutcome.Nothing(same, open)).expectation() shouldBe
            "nothing to gain: it serves all that arrive, 780/s"
        nothing.copy(outcome = ChangeOutcome.Unknown).expectation() shouldBe
            "nothing can be predicted; try … --against measures it"
    }

    @Test
    fun `a change of code has its place`() {
        val code = change.copy(setting = null, code = "maxConnectionsPerRoute = {value} in the client")
        val place = CodePlace(Frame("shop.Shop", "order", 44, "Shop.kt"), isOwn = true)
        AdvisedChange(code, 100.0, 200.0, place = place, outcome = ChangeOutcome.Unknown).how() shouldBe
            "maxConnectionsPerRoute = 200 in the client, at Shop.kt:44"
    }

    @Test
    fun `predicted beside measured`() {
        val proven = ProvenChange(
            Proof("shop-pool", "shop", "s", "pool", "pool=20", prediction), "A larger pool",
            Figure(1_480.0, null, null, emptyList()), Figure(1.9, 1.85, 1.95, emptyList()), isWithin = true,
        )
        proven.predictedWords() shouldBe "1,560/s, × 2 (1.92 to 2.05)"
        proven.measuredWords() shouldBe "1,480/s, × 1.90 (1.85 to 1.95)"
        proven.verdictWords() shouldBe "yes"
        val open = prediction.copy(perSecond = Range(1_500.0, 1_560.0, 3_900.0), isAtLeast = true)
        proven.copy(proof = proven.proof.copy(prediction = open)).let {
            it.predictedWords() shouldBe "at least 1,560/s, × 2 to 5"
            it.verdictWords() shouldBe "yes, not below"
        }
        val missed = proven.copy(isWithin = false, hadNoEffect = true)
        missed.verdictWords() shouldBe "no: the setting had no effect"
        val failed = proven.copy(measured = null, ratio = null, isWithin = null)
        failed.measuredWords() shouldBe "not measured"
        listOf(proven, missed, failed).summary() shouldBe
            "1 of 2 predictions are within 20 % of what was measured; 1 could not be measured."
    }

    private val now = Operation(780.0, 128_000.0)
    private val pool = ServiceLimit(LimitedResource.CONNECTIONS, "HikariCP", 10.0, 12_048.0, 830.0)
    private val cores = ServiceLimit(LimitedResource.PROCESSOR, null, 1.0, 500.0, 2_000.0)
    private val prediction = Prediction(now, Range(1_500.0, 1_560.0, 1_600.0), Range(60_000.0, 64_000.0, 70_000.0))
    private val change = KnownChange(
        "pool", "A larger pool", LimitedResource.CONNECTIONS, ChangeEffect.Times(2.0),
        setting = ChangeSetting(SettingKind.SPRING, "pool"), source = "https://example.org",
    )
}
