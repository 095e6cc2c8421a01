package threadgauge.contract.testkit

import java.util.concurrent.Callable
import java.util.concurrent.Executors
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestInstance
import threadgauge.contract.testkit.process.FeatureServer

/**
 * The processes for a [FeatureContract]: one without options, one with all options that go together, and one for each
 * kind of authentication. Two of the latter use TLS where the engine [hasTls].
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FeatureServers internal constructor(
    private val main: String,
    private val folder: String,
    private val stack: String,
    internal val hasTls: Boolean,
) {
    internal val plain = server()
    internal val full = server(
        "gzip", "default-headers", "cors", "interceptor", "call-logging", "request-timers", "sessions", "templates",
        "error-pages", "https-redirect",
    )
    internal val basic = server("basic", *tls("http2"))
    internal val token = server("jwt", *tls("tls", "https-redirect"))
    internal val login = server("session-login")
    internal val all = listOf(plain, full, basic, token, login)

    private fun tls(vararg options: String) = if (hasTls) options else emptyArray()

    private fun server(vararg options: String) = FeatureServer(main, folder, stack, options.toList())

    /** Concurrently: each start takes seconds. */
    @BeforeAll
    fun start() = Executors.newVirtualThreadPerTaskExecutor().use { threads ->
        threads.invokeAll(all.map { Callable { it.start() } }).forEach { it.get() }
    }

    @AfterAll
    fun stop() = all.forEach { it.stop() }
}
