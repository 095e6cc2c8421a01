package threadgauge.judge.advice

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlin.random.Random
import org.junit.jupiter.api.Test
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Operation

class ServiceNetworkTest {
    @Test
    fun `with one server mean value analysis gives the known answers`() {
        // One station of 10 ms and users who never think: it is always busy.
        network(listOf(station(1.0, 10_000.0)), users = 7).queued() shouldBe (100.0 plusOrMinus 1e-9)
        // Two stations of 10 ms each: X = N ÷ ((N + 1) × D) (balanced network, Lazowska 1984, chapter 5).
        val balanced = network(listOf(station(1.0, 10_000.0), station(1.0, 10_000.0)), users = 4)
        balanced.queued() shouldBe (80.0 plusOrMinus 1e-9)
        balanced.bound shouldBe (100.0 plusOrMinus 1e-9)
    }

    @Test
    fun `users who think and a station are the machine repair model`() {
        // Two users who think for 10 ms, one server of 10 ms: p = 1/5, 2/5, 2/5, so it is busy for 4/5 of the time.
        network(listOf(station(1.0, 10_000.0)), users = 2, think = 10_000.0).queued() shouldBe (80.0 plusOrMinus 1e-9)
    }

    @Test
    fun `threads limit how many requests are served at a time`() {
        val network = network(emptyList(), users = 100, threads = 10.0, delay = 50_000.0)
        network.queued() shouldBe (200.0 plusOrMinus 1e-9)
        network.bound shouldBe (200.0 plusOrMinus 1e-9)
        network.limits.first().resource shouldBe LimitedResource.REQUEST_THREADS
        network.meanMicros(200.0).shouldNotBeNull() shouldBe (500_000.0 plusOrMinus 1e-6)
    }

    @Test
    fun `an open load gets what it asks for up to the lowest limit, and has no latency beyond`() {
        val network = network(listOf(station(10.0, 20_000.0)), users = null, rate = 400.0)
        network.queued() shouldBe 400.0
        network.bound shouldBe 400.0
        // Seidmann: 18 ms, and 2 ms ÷ (1 − 0.8).
        network.meanMicros(400.0).shouldNotBeNull() shouldBe (28_000.0 plusOrMinus 1e-6)
        network.copy(ratePerSecond = 600.0).let {
            it.bound shouldBe (500.0 plusOrMinus 1e-9)
            it.meanMicros(500.0).shouldBeNull()
        }
    }

    @Test
    fun `no estimate is above the limits, and none falls when a pool grows`() {
        val random = Random(20_261_127)
        repeat(RUNS) { run ->
            val network = random.network()
            withClue("$run: $network") {
                network.queued() shouldBeLessThanOrEqual network.bound * (1 + ROUNDING)
                val now = Operation(network.queued() * random.nextDouble(0.8, 1.0), 1_000.0)
                var last = 0.0
                for (servers in listOf(1.0, 2.0, 3.0, 7.0, 20.0, 100.0)) {
                    val grown = network.copy(stations = network.stations.drop(1) +
                        network.stations.first().copy(servers = servers))
                    val predicted = predict(now, network, grown).perSecond
                    predicted.high shouldBeLessThanOrEqual grown.bound * (1 + ROUNDING)
                    predicted.low shouldBeLessThanOrEqual predicted.value * (1 + ROUNDING)
                    predicted.value shouldBeLessThanOrEqual predicted.high * (1 + ROUNDING)
                    predicted.value shouldBeGreaterThanOrEqual last * (1 - ROUNDING)
                    last = predicted.value
                }
            }
        }
    }

    @Test
    fun `a change of nothing is predicted as what was measured`() {
        val random = Random(7)
        repeat(RUNS) {
            val network = random.network()
            val now = Operation(network.queued() * random.nextDouble(0.8, 1.0), random.nextDouble(100.0, 1e6))
            val predicted = predict(now, network, network)
            listOf(predicted.perSecond.low, predicted.perSecond.value, predicted.perSecond.high).forEach {
                it shouldBe (now.perSecond plusOrMinus now.perSecond * 1e-9)
            }
            predicted.meanMicros.shouldNotBeNull().value shouldBe now.meanMicros
        }
    }

    private fun Random.network(): ServiceNetwork {
        val stations = List(nextInt(1, 4)) { station(nextInt(1, 30).toDouble(), nextDouble(100.0, 50_000.0)) }
        val isOpen = nextInt(4) == 0
        return network(
            stations, users = if (isOpen) null else nextInt(1, 400),
            think = if (nextBoolean()) 0.0 else nextDouble(1e5),
            threads = if (nextBoolean()) nextInt(1, 200).toDouble() else null, delay = nextDouble(0.0, 1e5),
            rate = if (isOpen) nextDouble(1.0, 5_000.0) else null,
        )
    }

    private fun station(servers: Double, micros: Double) =
        Station(LimitedResource.CONNECTIONS, "pool", servers, micros)

    private fun network(
        stations: List<Station>,
        users: Int?,
        think: Double = 0.0,
        threads: Double? = null,
        delay: Double = 0.0,
        rate: Double? = null,
    ) = ServiceNetwork(
        stations, listOfNotNull(threads?.let { Station(LimitedResource.REQUEST_THREADS, "exec", it, 1.0) }), delay,
        users, think, rate,
    )

    private companion object {
        const val RUNS = 500

        /** Of sums of doubles. */
        const val ROUNDING = 1e-9
    }
}
