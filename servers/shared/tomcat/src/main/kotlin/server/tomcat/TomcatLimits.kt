package threadgauge.server.tomcat

import org.apache.coyote.http11.AbstractHttp11Protocol

/** Limit of connections that this Tomcat accepts. Null where it is configured not to count them. */
val AbstractHttp11Protocol<*>.connectionLimit: Int? get() = maxConnections.takeIf { it > 0 }

/** Effective settings that may decide a result, read from the running server. */
val AbstractHttp11Protocol<*>.settings: Map<String, String>
    get() = mapOf(
        "threads max" to maxThreads.toString(),
        "threads min spare" to minSpareThreads.toString(),
        "connections max" to maxConnections.toString(),
        "accept queue" to acceptCount.toString(),
        "requests per connection" to maxKeepAliveRequests.let { if (it < 0) "unlimited" else it.toString() },
        "idle connection closed after" to "$keepAliveTimeout ms",
        "TCP_NODELAY" to tcpNoDelay.toString(),
        "transport" to javaClass.simpleName.removePrefix("Http11").removeSuffix("Protocol").lowercase(),
    )
