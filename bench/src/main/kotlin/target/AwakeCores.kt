package threadgauge.target

import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile

/**
 * Keeps idle cores from sleeping until [close]: they poll for work instead. A sleeping core wakes late and unevenly,
 * and on a virtual machine waking it costs the waking core an exit to the hypervisor. Decision 0041 has the
 * measurements.
 *
 * Requests a wake-up latency of 0 µs through the kernel's PM QoS interface
 * (`Documentation/power/pm_qos_interface.rst`). The kernel drops the request when the process ends, however it ends.
 */
internal class AwakeCores private constructor(private val request: FileOutputStream?) : AutoCloseable {
    /** False if the system has no such interface, or this user may not write to it. */
    val areAwake: Boolean get() = request != null

    override fun close() {
        request?.close()
    }

    companion object {
        /** Sends the request through [device]. Never throws: without the interface, cores sleep as usual. */
        fun hold(device: Path = Path.of("/dev/cpu_dma_latency")): AwakeCores {
            // Opening for writing would create a file if there is no device.
            if (!device.exists() || device.isRegularFile()) return AwakeCores(null)
            var opened: FileOutputStream? = null
            return try {
                // A 32-bit number of microseconds; zero is the same in either byte order.
                opened = FileOutputStream(device.toFile()).apply { write(ByteArray(Int.SIZE_BYTES)) }
                AwakeCores(opened)
            } catch (_: IOException) {
                opened?.close()
                AwakeCores(null)
            }
        }
    }
}
