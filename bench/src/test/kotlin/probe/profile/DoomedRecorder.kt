package threadgauge.probe.profile

import java.nio.file.Path
import java.util.Random
import threadgauge.probe.JvmProbe

/**
 * A process that profiles another one, until it is killed in the middle: the process [pid], with files in [folder].
 * Returns once it profiles.
 */
internal class DoomedRecorder(pid: Long, folder: Path) : AutoCloseable {
    private val process = ProcessBuilder(
        "${SourceProcess.OF_THIS_JVM}", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
        DoomedRecorder::class.java.name, "$pid", "$folder",
    ).redirectError(ProcessBuilder.Redirect.INHERIT).start()

    init {
        check(process.inputReader().readLine() == BEGUN) { "it ended" }
    }

    /** Kills it as the kernel does, without a chance to end anything. */
    override fun close() {
        process.destroyForcibly().waitFor()
    }

    companion object {
        /** When a recording ends by itself. */
        const val SECONDS = 4L
        private const val BEGUN = "It profiles."

        @JvmStatic
        fun main(arguments: Array<String>) {
            val jvm = checkNotNull(JvmProbe.attach(arguments[0].toLong()))
            val folder = Path.of(arguments[1])
            val recorder = ProfileRecorder(jvm, { setOf(jvm.pid) }, isOurs = false, folder, Random(1))
            recorder.begin(SECONDS)
            recorder.watch(System.nanoTime(), 60_000_000_000)
            println(BEGUN)
            Thread.sleep(600_000)
        }
    }
}
