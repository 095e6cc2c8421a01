package threadgauge.judge.cause

import threadgauge.model.profile.Frame

/** Libraries by the resource that a thread waits for in them. The names are those of the products. */
internal object NamedResources {
    /** Waiting within one of these, but for a socket, is waiting for a free connection. */
    fun poolOf(frames: List<Frame>): String? = nameOf(POOLS, frames)

    /** Their names, where a rule is about one of them. */
    const val HIKARI = "HikariCP"
    const val SEMAPHORE = "Semaphore"

    fun databaseOf(frames: List<Frame>): String? = nameOf(DATABASES, frames)

    fun isClient(frames: List<Frame>): Boolean = frames.any { it isOneOf CLIENTS }

    private fun nameOf(known: List<Pair<Calls, String>>, frames: List<Frame>): String? =
        frames.firstNotNullOfOrNull { frame -> known.firstOrNull { it.first.matches(frame) }?.second }

    private val POOLS = listOf(
        Calls("com.zaxxer.hikari.pool.HikariPool", "getConnection") to HIKARI,
        Calls("com.zaxxer.hikari.util.ConcurrentBag", "borrow") to HIKARI,
        Calls("com.zaxxer.hikari.HikariDataSource", "getConnection") to HIKARI,
        Calls("org.apache.tomcat.jdbc.pool.ConnectionPool", "borrowConnection") to "Tomcat JDBC",
        Calls("io.agroal.pool.ConnectionPool", "getConnection") to "Agroal",
        Calls("com.mchange.v2.resourcepool.BasicResourcePool") to "C3P0",
        Calls("oracle.ucp.") to "UCP",
        Calls("com.mongodb.internal.connection.ConcurrentPool", "get") to "MongoDB",
        Calls("org.apache.commons.pool2.impl.GenericObjectPool", "borrowObject") to "Commons Pool",
        Calls("org.apache.http.pool.AbstractConnPool") to "HttpClient",
        Calls("org.apache.http.impl.conn.PoolingHttpClientConnectionManager", "leaseConnection") to "HttpClient",
        Calls("org.apache.hc.core5.pool.") to "HttpClient",
        Calls("org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager") to "HttpClient",
        Calls("java.util.concurrent.Semaphore", "acquire", "acquireUninterruptibly", "tryAcquire") to SEMAPHORE,
    )

    private val DATABASES = listOf(
        Calls("org.postgresql.") to "PostgreSQL", Calls("org.mariadb.jdbc.") to "MariaDB",
        Calls("com.mysql.") to "MySQL",
        Calls("com.microsoft.sqlserver.") to "SQL Server", Calls("oracle.jdbc.") to "Oracle", Calls("org.h2.") to "H2",
        Calls("com.mongodb.") to "MongoDB", Calls("redis.clients.") to "Redis", Calls("io.lettuce.core.") to "Redis",
        Calls("org.redisson.") to "Redis", Calls("com.datastax.") to "Cassandra", Calls("com.ibm.db2.") to "Db2",
    )

    private val CLIENTS = listOf(
        Calls("jdk.internal.net.http."), Calls("sun.net.www.http."), Calls("sun.net.www.protocol."),
        Calls("org.apache.http."), Calls("org.apache.hc."), Calls("okhttp3."), Calls("feign."),
        Calls("org.springframework.web.client."), Calls("org.springframework.http.client."),
        Calls("org.eclipse.jetty.client."), Calls("io.helidon.webclient."), Calls("io.grpc."), Calls("io.ktor.client."),
        Calls("com.hazelcast.client."), Calls("com.rabbitmq."), Calls("org.apache.kafka."),
    )
}
