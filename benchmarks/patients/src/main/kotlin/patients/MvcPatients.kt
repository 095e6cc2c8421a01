package threadgauge.patients

import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.LoggerContext
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.AppenderBase
import java.net.InetAddress
import java.security.MessageDigest
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.locks.ReentrantLock
import java.util.function.Supplier
import kotlin.concurrent.withLock
import org.slf4j.LoggerFactory
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.support.GenericApplicationContext
import org.springframework.web.servlet.function.RouterFunction
import org.springframework.web.servlet.function.RouterFunctions
import org.springframework.web.servlet.function.ServerResponse

/** On Spring MVC and Tomcat: settings, and what makes the handler once the service starts. */
internal class MvcPatient(val settings: Map<String, String> = emptyMap(), val handler: () -> () -> String)

private val VIRTUAL = mapOf("spring.threads.virtual.enabled" to "true")

internal val mvcPatients: Map<String, MvcPatient> = mapOf(
    "small-pool" to MvcPatient { connections(10).let { source -> { query(source, 20) } } },
    "spinning-pool" to MvcPatient(VIRTUAL) { connections(50).let { source -> { query(source, 5) } } },
    "one-lock" to MvcPatient { ReentrantLock().let { lock -> { lock.withLock { pause(2) } } } },
    "synchronized" to MvcPatient(VIRTUAL) { Any().let { lock -> { synchronized(lock) { pause(2) } } } },
    "pinned" to MvcPatient(VIRTUAL) { { synchronized(Any()) { "${call(backend)}" } } },
    "new-threads" to MvcPatient { { Executors.newFixedThreadPool(1).submit(Callable { pause(5) }).get() } },
    "slow-log" to MvcPatient { slowLogger().let { logger -> { "ok".also { logger.warn("asked") } } } },
    "cpu" to MvcPatient { { digest() } },
    "small-heap" to MvcPatient { ArrayList(List(34) { ByteArray(1_000_000) }).let { kept -> { allocate(kept.size) } } },
    "slow-dns" to MvcPatient { AtomicLong().let { number -> { lookUp(number.incrementAndGet()) } } },
    "few-threads" to MvcPatient(mapOf("server.tomcat.threads.max" to "10")) { { "${call(backend)}" } },
    "slow-backend" to MvcPatient { { "${call(backend)}" } },
    "retries" to MvcPatient { { untilItWorks() } },
    "fast" to MvcPatient { { "ok" } },
    "thinking" to MvcPatient { { "ok" } },
    "flat" to MvcPatient { { text() } },
    "idle-pools" to MvcPatient { { "${call(backend)}" } },
)

@EnableAutoConfiguration
internal open class MvcApplication

internal fun startMvc(patient: MvcPatient, port: Int) {
    val settings = mapOf("server.port" to "$port", "spring.main.banner-mode" to "off") + patient.settings
    SpringApplicationBuilder(MvcApplication::class.java)
        .initializers({ context ->
            (context as GenericApplicationContext).registerBean("routes", RouterFunction::class.java, Supplier {
                // Spring Boot has set up its logging by now.
                val handler = patient.handler()
                RouterFunctions.route().GET("/") { ServerResponse.ok().body(handler()) }.build()
            })
        })
        .properties(settings)
        .run()
}

private fun pause(millis: Long): String {
    Thread.sleep(millis)
    return "ok"
}

/** Some milliseconds of work that looks like a wait from outside. */
private fun digest(): String {
    var bytes = ByteArray(64)
    repeat(10_000) { bytes = MessageDigest.getInstance("SHA-256").digest(bytes) }
    return "${bytes[0]}"
}

private fun allocate(kept: Int): String {
    val parts = List(200) { ByteArray(10_000 + kept) }
    return "${parts.sumOf { it.size }}"
}

private fun lookUp(number: Long): String = InetAddress.getByName("host-$number.patients.test").hostAddress

private fun untilItWorks(): String {
    repeat(10) { if (call("$backend/flaky") == 200) return "ok" }
    return "gave up"
}

/** Work of many small parts: no method of it stands out. */
private fun text(): String = buildString {
    for (line in 1..40) {
        append(line).append(',').append("%05x".format(line * 7)).append(';').append("row $line".reversed())
    }
}

private class SlowAppender : AppenderBase<ILoggingEvent>() {
    override fun append(event: ILoggingEvent) {
        Thread.sleep(2)
    }
}

private fun slowLogger(): Logger {
    val context = LoggerFactory.getILoggerFactory() as LoggerContext
    return context.getLogger("slow").apply {
        isAdditive = false
        addAppender(SlowAppender().apply { setContext(context); start() })
    }
}
