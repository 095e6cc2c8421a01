package threadgauge.probe

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class StartFiguresTest {
    @Test
    fun `the peak is that of the busiest half second`() {
        // A tenth of a second each: idle, then one core, then two for half a second, then one again.
        val cores = List(10) { 0.0 } + List(5) { 1.0 } + List(5) { 2.0 } + List(5) { 1.0 }
        peakCores(readings(cores))!! shouldBe (2.0 plusOrMinus 1e-9)
        peakCores(readings(List(20) { 0.25 }))!! shouldBe (0.25 plusOrMinus 1e-9)
    }

    @Test
    fun `a start shorter than half a second has no peak`() {
        peakCores(readings(List(4) { 1.0 })).shouldBeNull()
        peakCores(emptyList()).shouldBeNull()
    }

    @Test
    fun `the first collection is found in what each collector writes`() {
        firstCollectionBytes(
            """
            [0.012s] Using G1
            [0.412s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(256M) 3.212ms
            [0.912s] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 99M->9M(256M) 3.212ms
            """.trimIndent(),
        ) shouldBe 23L * 1024 * 1024
        firstCollectionBytes(
            "[0.3s] GC(0) Pause Young (Allocation Failure) 4352K->512K(15872K) 1.9ms",
        ) shouldBe 4352L * 1024
        firstCollectionBytes(
            "[1.3s] GC(0) Minor Collection (Warmup) 1620M(10%)->12M(0%) 0.012s",
        ) shouldBe 1620L * 1024 * 1024
        firstCollectionBytes("[0.012s] Using Serial\n").shouldBeNull()
    }

    private fun readings(cores: List<Double>): List<ProcessReading> {
        var millis = 0.0
        return (listOf(0.0) + cores).mapIndexed { index, used ->
            millis += used * 100
            ProcessReading(
                atNanos = index * 100_000_000L, cpuUserMillis = millis, cpuSystemMillis = 0.0,
                rssBytes = 0, threads = 1,
            )
        }
    }
}
