package threadgauge.tickets.service.memory

import io.lettuce.core.RedisCommandExecutionException
import io.lettuce.core.RedisURI
import io.lettuce.core.api.sync.RedisServerCommands

/**
 * What this Redis may lose when it is killed; null if it writes each command to disk before it replies. No promise
 * depends on it, since the ledger decides, but queued requests are lost with it, and their clients time out. Managed
 * services may reject the query.
 */
internal fun RedisServerCommands<String, String>.durabilityWarning(): String? = try {
    val settings = configGet("append*")
    when {
        settings["appendonly"] != "yes" -> "it does not write to disk (appendonly ${settings["appendonly"]})"
        settings["appendfsync"] != "always" ->
            "it replies before it writes to disk (appendfsync ${settings["appendfsync"]})"
        else -> null
    }
} catch (refused: RedisCommandExecutionException) {
    "it does not report its settings (${refused.message})"
}

/** The address without user and password. */
internal fun withoutCredentials(address: String): String = try {
    RedisURI.create(address).let { "${address.substringBefore("://")}://${it.host}:${it.port}" }
} catch (_: IllegalArgumentException) {
    address.substringBefore("://") + "://" + address.substringAfter("://").substringAfterLast('@')
}
