package threadgauge.judge

import java.nio.ByteBuffer
import java.util.Base64
import org.HdrHistogram.Histogram
import threadgauge.model.Sample
import threadgauge.model.ScenarioSample
import threadgauge.model.StepSample

/** The same, with a scenario whose steps all took the same time: [nanos] by the names of the steps. */
internal fun Sample.withSteps(scenario: String, nanos: Map<String, Long>): Sample {
    val steps = nanos.map { (name, each) ->
        StepSample(name, ANSWERS.toLong(), 0, 0, emptyMap(), latency, distributionOf(each to ANSWERS), serviceTime)
    }
    val whole = distributionOf(nanos.values.sum() to ANSWERS)
    val passes = ANSWERS.toLong()
    return copy(scenarios = listOf(ScenarioSample(scenario, passes, passes, 0, 0, latency, whole, steps)))
}

/** A histogram as records hold it, of values in nanoseconds with their counts. */
internal fun distributionOf(vararg values: Pair<Long, Int>): String {
    val histogram = Histogram(3)
    for ((value, count) in values) histogram.recordValueWithCount(value, count.toLong())
    val buffer = ByteBuffer.allocate(histogram.neededByteBufferCapacity)
    val length = histogram.encodeIntoCompressedByteBuffer(buffer)
    return Base64.getEncoder().encodeToString(buffer.array().copyOf(length))
}

private const val ANSWERS = 500
