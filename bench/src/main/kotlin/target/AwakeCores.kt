package threadgauge.target

import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile

/**
 * Keeps idle cores from sleeping until [close]: they poll for work instead. A core that sleeps between requests wakes
 * late and unevenly, and on a virtual machine waking it costs whoever wakes it an exit to the hypervisor. In the
 * measurements of decision 0040 equal servers differed half as much between slices with it.
 *
 * It asks for a wake-up latency of 0 µs by the kernel's PM QoS interface (`Documentation/power/pm_qos_interface.rst`).
 * The request ends with the process that made it, however that ends.
 */
internal class AwakeCores private constructor(private val request: FileOutputStream?) : AutoCloseable {
    /** False where the system has no such interface, or does not let this user in. */
    val areAwake: Boolean get() = request != null

    override fun close() {
        request?.close()
    }

    companion object {
        fun hold(device: Path = Path.of("/dev/cpu_dma_latency")): AwakeCores {
            // Opening would make a file where there is no device.
            if (!device.exists() || device.isRegularFile()) return AwakeCores(null)
            var opened: FileOutputStream? = null
            return try {
                // A 32-bit number of microseconds; all bytes of 0 are the same in either order.
                opened = FileOutputStream(device.toFile()).apply { write(ByteArray(Int.SIZE_BYTES)) }
                AwakeCores(opened)
            } catch (_: IOException) {
                opened?.close()
                AwakeCores(null)
            }
        }
    }
}
