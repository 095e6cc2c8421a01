package threadgauge.server.ktor

import io.ktor.server.routing.RoutingCall

/** A parameter of the query, or null. Given twice it is one text, as Spring has it: with commas, and so no number. */
internal fun RoutingCall.query(name: String): String? = queryParameters.getAll(name)?.joinToString(",")
