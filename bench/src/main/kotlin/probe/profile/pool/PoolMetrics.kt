package threadgauge.probe.profile.pool

import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

/** A value of the pool [pool], by the [name] that it has in Prometheus. [pool] is empty where it has no name. */
internal data class Metric(val name: String, val pool: String, val value: Double) {
    val isOfPool: Boolean get() = KINDS.any { name == it.busy || name == it.max || name == it.waiting }
}

/** The samples of a page in Prometheus' text format 0.0.4. A line that is none is left out. */
internal fun metricsOf(page: String): List<Metric> = page.lineSequence().mapNotNull { line ->
    val parts = SAMPLE.matchEntire(line) ?: return@mapNotNull null
    val value = parts.groupValues[3].toDoubleOrNull()?.takeIf { it.isFinite() } ?: return@mapNotNull null
    val labels = LABEL.findAll(parts.groupValues[2]).associate { it.groupValues[1] to it.groupValues[2] }
    Metric(parts.groupValues[1], NAMING_LABELS.mapNotNull { labels[it] }.joinToString(" "), value)
}.toList()

/** Means over all [readings], each of which has the metrics of one moment. */
internal fun poolsOf(readings: List<List<Metric>>): List<Pool> = KINDS.flatMap { kind ->
    val names = readings.flatten().filter { it.name == kind.busy }.map { it.pool }.distinct()
    names.map { name ->
        fun mean(metric: String?) = readings.mapNotNull { one ->
            one.filter { it.name == metric && it.pool == name }.takeIf { it.isNotEmpty() }?.sumOf { it.value }
        }.takeIf { it.isNotEmpty() }?.average()
        // Unlimited pools report the largest number, or less than nothing.
        val max = mean(kind.max)?.takeIf { it >= 1 && it < Int.MAX_VALUE }?.toInt()
        Pool(name.ifEmpty { kind.product }, kind.kind, max, checkNotNull(mean(kind.busy)), mean(kind.waiting))
    }
}

/** Labels by which pools are told apart, those of several clients to one service as well. */
internal val NAMING_LABELS = listOf("pool", "name", "remote_address")

/** Names of the metrics of a pool, as Micrometer gives them and Prometheus writes them. */
private class PoolMetrics(
    val kind: PoolKind,
    val product: String,
    val busy: String,
    val max: String,
    val waiting: String? = null,
)

/** Documented by Micrometer, Spring Boot, r2dbc-pool and Reactor Netty under "metrics". */
private val KINDS = listOf(
    PoolMetrics(PoolKind.TOMCAT_THREADS, "Tomcat", "tomcat_threads_busy_threads", "tomcat_threads_config_max_threads"),
    PoolMetrics(PoolKind.TOMCAT_THREADS, "Tomcat", "tomcat_threads_busy", "tomcat_threads_config_max"),
    PoolMetrics(PoolKind.JETTY_THREADS, "Jetty", "jetty_threads_busy", "jetty_threads_config_max"),
    PoolMetrics(
        PoolKind.HIKARI, "HikariCP", "hikaricp_connections_active", "hikaricp_connections_max",
        "hikaricp_connections_pending",
    ),
    PoolMetrics(
        PoolKind.R2DBC, "R2DBC", "r2dbc_pool_acquired_connections", "r2dbc_pool_max_allocated_connections",
        "r2dbc_pool_pending_connections",
    ),
    PoolMetrics(PoolKind.R2DBC, "R2DBC", "r2dbc_pool_acquired", "r2dbc_pool_max_allocated", "r2dbc_pool_pending"),
    PoolMetrics(
        PoolKind.REACTOR_NETTY, "Reactor Netty", "reactor_netty_connection_provider_active_connections",
        "reactor_netty_connection_provider_max_connections", "reactor_netty_connection_provider_pending_connections",
    ),
)

private val SAMPLE = Regex("""([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)})?\s+(\S+)(?:\s+-?\d+)?""")
private val LABEL = Regex("""([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"""")
