package threadgauge.probe.profile.pool

import javax.management.Attribute
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

/** Reads the pools that a JVM reports through [connection]. Belongs to one thread. */
internal class PoolReader(private val connection: MBeanServerConnection) : PoolSource {
    private val found = LinkedHashMap<ObjectName, PoolBean>()
    private val maxima = HashMap<ObjectName, Int>()
    private val readings = LinkedHashMap<ObjectName, ArrayList<Map<String, Double>>>()

    /** Looks for pools. Throws what JMX throws. */
    override fun find() = BEANS.forEach { bean ->
        connection.queryNames(ObjectName(bean.pattern), null).forEach { name ->
            found[name] = bean
            if (bean.kind == PoolKind.HIKARI) configuredMax(name)?.let { maxima[name] = it }
        }
    }

    /** Reads all of them once. Throws what JMX throws. */
    override fun read() = found.forEach { (name, bean) ->
        val values = connection.getAttributes(name, bean.attributes).filterIsInstance<Attribute>()
            .mapNotNull { attribute -> (attribute.value as? Number)?.let { attribute.name to it.toDouble() } }
        readings.getOrPut(name, ::ArrayList) += values.toMap()
    }

    /** Means over all readings; a pool that does not report what is in use is left out. */
    override fun pools(): List<Pool> = readings.mapNotNull { (name, values) ->
        val bean = found.getValue(name)
        fun mean(attribute: String?) = values.mapNotNull { it[attribute] }.takeIf { it.isNotEmpty() }?.average()
        val max = maxima[name] ?: mean(bean.max)?.toInt()
        if (bean.kind == PoolKind.CARRIERS && mean(bean.size) == 0.0) return@mapNotNull null
        mean(bean.busy)?.let { Pool(nameOf(name), bean.kind, max, it, mean(bean.waiting)) }
    }

    /** Hikari has its limit in a second bean, and here only the connections that are open. */
    private fun configuredMax(pool: ObjectName): Int? = runCatching {
        val config = ObjectName(pool.domain, "type", pool.getKeyProperty("type").replace("Pool (", "PoolConfig ("))
        (connection.getAttribute(config, "MaximumPoolSize") as Number).toInt()
    }.getOrNull()

    private fun nameOf(bean: ObjectName): String {
        val name = bean.getKeyProperty("name") ?: bean.getKeyProperty("type").orEmpty()
        // Hikari's beans are called `Pool (HikariPool-1)`.
        return name.removeSurrounding("\"").removePrefix("Pool (").removeSuffix(")")
    }

    /** Where pools of one kind are registered, and the names of their attributes. */
    private class PoolBean(
        val kind: PoolKind,
        val pattern: String,
        val busy: String,
        val max: String,
        val waiting: String? = null,
        /** Threads or connections that exist. */
        val size: String? = null,
    ) {
        val attributes = listOfNotNull(busy, max, waiting, size).toTypedArray()
    }

    private companion object {
        /** Tomcat and Hikari register theirs only where they are configured to. */
        val BEANS = listOf(
            PoolBean(PoolKind.TOMCAT_THREADS, "*:type=ThreadPool,name=*", "currentThreadsBusy", "maxThreads"),
            PoolBean(
                PoolKind.HIKARI, "com.zaxxer.hikari:type=Pool (*)", "ActiveConnections", "TotalConnections",
                "ThreadsAwaitingConnection",
            ),
            // Since JDK 24. It exists before the first virtual thread does, and then has no carriers.
            PoolBean(
                PoolKind.CARRIERS, "jdk.management:type=VirtualThreadScheduler", "MountedVirtualThreadCount",
                "Parallelism", "QueuedVirtualThreadCount", "PoolSize",
            ),
        )
    }
}
