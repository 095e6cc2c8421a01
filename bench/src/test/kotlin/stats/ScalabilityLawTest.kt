package threadgauge.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Test
import threadgauge.knee.nextConcurrency

class ScalabilityLawTest {
    private val truth = ScalabilityLaw(1_000.0, 0.05, 0.0002)
    private val concurrencies = (0..9).map { (1 shl it).toDouble() }
    private fun points(law: ScalabilityLaw, noise: Double = 0.0, random: Random = Random(1)) =
        concurrencies.map { Throughput(it, law.at(it) * exp(random.nextGaussian() * noise)) }

    @Test
    fun `the parameters of points on the curve come out as they went in`() {
        val fit = fitScalability(points(truth)).shouldNotBeNull()
        fit.lambda shouldBe (1_000.0 plusOrMinus 1e-6)
        fit.sigma shouldBe (0.05 plusOrMinus 1e-9)
        fit.kappa shouldBe (0.0002 plusOrMinus 1e-12)
        fit.peak.shouldNotBeNull() shouldBe (68.92 plusOrMinus 0.01) // √(0.95 ÷ 0.0002)
        fit.rSquared(points(truth)) shouldBe (1.0 plusOrMinus 1e-9)
    }

    @Test
    fun `a server that scales without loss has neither contention nor coherence, and no peak`() {
        val fit = fitScalability(points(ScalabilityLaw(100.0, 0.0, 0.0))).shouldNotBeNull()
        fit.sigma shouldBe (0.0 plusOrMinus 1e-12)
        fit.peak.shouldBeNull()
    }

    @Test
    fun `parameters are never negative, whatever the noise`() {
        repeat(200) { seed ->
            val fit = fitScalability(points(ScalabilityLaw(100.0, 0.0, 0.0), noise = 0.1, Random(seed.toLong())))
                .shouldNotBeNull()
            (fit.sigma >= 0 && fit.kappa >= 0 && fit.lambda > 0) shouldBe true
        }
    }

    @Test
    fun `the band holds the true curve in most of 100 noisy measurements`() {
        val covered = shareOf(100) { seed ->
            val noisy = points(truth, noise = 0.04, Random(seed.toLong()))
            val law = fitScalability(noisy).shouldNotBeNull()
            truth.at(64.0) in ScalabilityBand.of(noisy, law, laws = 100, seed = 7).interval { it.at(64.0) }
                .shouldNotBeNull()
        }
        // It says 95 and holds about 90: a bootstrap of ten residuals is that good, and the methodology says so.
        covered shouldBeGreaterThan 0.85
    }

    @Test
    fun `what is no such curve is fitted badly, and the error says so`() {
        val saw = concurrencies.mapIndexed { index, n -> Throughput(n, if (index % 2 == 0) 100.0 else 900.0) }
        val law = fitScalability(saw).shouldNotBeNull()
        law.typicalError(saw) shouldBeGreaterThan 0.5
        law.rSquared(saw) shouldBeLessThan 0.5
    }

    @Test
    fun `too few points, or a throughput of nothing, give no fit`() {
        fitScalability(points(truth).take(4)).shouldBeNull()
        fitScalability(points(truth).map { it.copy(perSecond = 0.0) }).shouldBeNull()
    }

    @Test
    fun `concurrency is doubled past the top and no further`() {
        fun all(law: ScalabilityLaw): List<Double> {
            val seen = ArrayList<Throughput>()
            while (true) nextConcurrency(seen)?.toDouble()?.let {
                seen += Throughput(it, law.at(it))
            } ?: return seen.map { it.concurrency }
        }
        all(truth).last() shouldBe 256.0 // highest at 69: 64 is best, then two that are not
        all(ScalabilityLaw(10.0, 1.0, 0.0)).size shouldBe 5
        all(ScalabilityLaw(10.0, 0.0, 0.0)).last() shouldBe 1024.0
        nextConcurrency(List(6) { Throughput(1.0 * (1 shl it), 1_000.0 * (1 shl it)) }, maxPerSecond = 20_000.0)
            .shouldBeNull()
    }
}
