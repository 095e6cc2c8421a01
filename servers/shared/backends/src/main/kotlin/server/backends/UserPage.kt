package threadgauge.server.backends

import threadgauge.server.work.BadRequest
import threadgauge.server.work.json
import threadgauge.server.work.millisOf
import threadgauge.server.work.wholeNumber

/**
 * The parameters of `GET /mobile/users/{id}?ms=&from=`: a page of two parts, a user and the user's orders. A "backend
 * for a frontend" fetches both concurrently. Each takes [millis] milliseconds, as a wait in the process or as a real
 * call.
 */
class UserPage private constructor(val id: Int, val millis: Long, val isFromUpstream: Boolean) {
    /** Each part when it comes from the process itself, equal to the upstream's answer. */
    val part: String get() = result(id)

    companion object {
        private const val MAX_ID = 1_000_000
        private const val DEFAULT_MILLIS = 1_000L

        /** Throws [BadRequest] for the first invalid parameter. A missing parameter is null. */
        fun parse(id: String, ms: String?, from: String?): UserPage {
            val number = wholeNumber("id", id, 1..MAX_ID)
            val millis = ms?.let(::millisOf) ?: DEFAULT_MILLIS
            if (from != null && from != "upstream") throw BadRequest("from must be upstream, or be left out")
            return UserPage(number, millis, isFromUpstream = from != null)
        }

        /** The body of the answer, as `application/json`. */
        fun answer(user: String, orders: String): String = json(mapOf("user" to user, "orders" to orders))
    }
}

/** The upstream's answer to `GET /test/{ms}/{index}`. */
internal fun result(index: Int) = "result$index"
