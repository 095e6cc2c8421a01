package threadgauge.load.record

import java.io.PrintStream
import java.nio.file.Path
import kotlin.io.path.outputStream
import org.HdrHistogram.Histogram
import org.HdrHistogram.HistogramLogWriter

/**
 * Writes one interval histogram per second of load to [file], in HdrHistogram's log format. Values are nanoseconds;
 * times count from the start of the window, [startNanos] of CLOCK_MONOTONIC.
 */
fun writeHistogramLog(file: Path, seconds: List<Histogram>, startNanos: Long) {
    PrintStream(file.outputStream().buffered()).use { out ->
        val log = HistogramLogWriter(out)
        log.outputComment("latency in nanoseconds from the intended time; CLOCK_MONOTONIC at the start: $startNanos")
        log.outputLogFormatVersion()
        log.outputLegend()
        seconds.forEachIndexed { second, histogram ->
            log.outputIntervalHistogram(second.toDouble(), second + 1.0, histogram, 1e6)
        }
    }
}
