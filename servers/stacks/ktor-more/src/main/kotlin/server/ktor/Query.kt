package threadgauge.server.ktor

import io.ktor.server.routing.RoutingCall

/** A parameter of the query, or null. Duplicates are joined with commas, as in Spring, and so are no number. */
internal fun RoutingCall.query(name: String): String? = queryParameters.getAll(name)?.joinToString(",")
