package threadgauge.patients

import java.io.File
import java.lang.management.ManagementFactory
import java.security.MessageDigest
import java.sql.Connection
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.locks.ReentrantLock

/**
 * What the requests of a service did, as it measures it itself: the wall time of each part, and CPU time by the clock
 * of its thread. A line of sums every 50 ms goes to the file that the variable `KNOWN` names: milliseconds of the
 * epoch, requests, and nanoseconds by part.
 */
internal object Known {
    private val parts = listOf("cpu", "sleep", "lock", "connection-pool", "database", "backend")
    private val sums = parts.associateWith { AtomicLong() }
    private val requests = AtomicLong()
    private val threads = ManagementFactory.getThreadMXBean()

    fun start() {
        val file = File(System.getenv("KNOWN"))
        Thread.ofPlatform().daemon().name("known").start {
            file.printWriter().use { out ->
                out.println("millis,requests," + parts.joinToString(","))
                while (true) {
                    val values = parts.map { sums.getValue(it).get() }
                    out.println("${System.currentTimeMillis()},${requests.get()},${values.joinToString(",")}")
                    out.flush()
                    Thread.sleep(50)
                }
            }
        }
    }

    /** A whole request; on a platform thread, because a virtual one has no clock of its CPU time. */
    fun <T> request(work: () -> T): T {
        val before = threads.currentThreadCpuTime
        return work().also {
            sums.getValue("cpu").addAndGet(threads.currentThreadCpuTime - before)
            requests.incrementAndGet()
        }
    }

    fun <T> part(name: String, work: () -> T): T {
        val before = System.nanoTime()
        return work().also { add(name, System.nanoTime() - before) }
    }

    fun add(part: String, nanos: Long) {
        sums.getValue(part).addAndGet(nanos)
    }
}

/** Services of which it is known where the time of a request goes. */
internal val knownServices: Map<String, MvcPatient> = mapOf(
    "known-sleep" to known { { sleep(20) } },
    "known-cpu" to known { { work(4) } },
    "known-lock" to known {
        ReentrantLock().let { lock ->
            {
                sleep(10)
                Known.part("lock") { lock.lock() }
                try {
                    sleep(3)
                } finally {
                    lock.unlock()
                }
            }
        }
    },
    "known-pool" to known {
        connections(5).let { source ->
            {
                work(1)
                val connection = Known.part("connection-pool") { source.connection }
                connection.use { Known.part("database") { ask(it, 15) } }
            }
        }
    },
    "known-backend" to known {
        {
            sleep(10)
            Known.part("backend") { call(backend) }
            work(1)
        }
    },
    "known-all" to known {
        val lock = Any()
        val source = connections(8)
        return@known {
            work(1)
            sleep(5)
            enter(lock)
            val connection = Known.part("connection-pool") { source.connection }
            connection.use { Known.part("database") { ask(it, 10) } }
            Known.part("backend") { call(backend) }
        }
    },
)

private fun known(handler: () -> () -> Any?) = MvcPatient {
    Known.start()
    val work = handler()
    return@MvcPatient { Known.request { work() }.let { "ok" } }
}

private fun sleep(millis: Long) = Known.part("sleep") { Thread.sleep(millis) }

/** A monitor that is held for 2 ms. */
private fun enter(lock: Any) {
    val before = System.nanoTime()
    synchronized(lock) {
        Known.add("lock", System.nanoTime() - before)
        sleep(2)
    }
}

private fun ask(connection: Connection, millis: Long) {
    connection.prepareStatement("call sleep(?)").use { statement ->
        statement.setLong(1, millis)
        statement.execute()
    }
}

/** About so many milliseconds on a core. */
private fun work(millis: Int) {
    var bytes = ByteArray(64)
    repeat(millis * HASHES) { bytes = MessageDigest.getInstance("SHA-256").digest(bytes) }
    check(bytes.size == 32)
}

private const val HASHES = 2_500
