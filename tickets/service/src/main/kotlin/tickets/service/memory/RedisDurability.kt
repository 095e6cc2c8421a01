package threadgauge.tickets.service.memory

import io.lettuce.core.RedisCommandExecutionException
import io.lettuce.core.RedisURI
import io.lettuce.core.api.sync.RedisServerCommands

/**
 * What a Redis may forget when it is killed, in words; null where it writes every command to its disk before it answers. No promise depends
 * on it, since the books have the last word, but asks that wait in a queue are lost with it, and their callers wait in vain.
 * Whoever runs it for others may not let it be asked.
 */
internal fun RedisServerCommands<String, String>.durabilityWarning(): String? = try {
    val settings = configGet("append*")
    when {
        settings["appendonly"] != "yes" -> "it keeps nothing on its disk (appendonly ${settings["appendonly"]})"
        settings["appendfsync"] != "always" -> "it writes to its disk later than it answers (appendfsync ${settings["appendfsync"]})"
        else -> null
    }
} catch (refused: RedisCommandExecutionException) {
    "it does not tell how it keeps things (${refused.message})"
}

/** Without what stands before the @, which is a password. */
internal fun withoutCredentials(address: String): String = try {
    RedisURI.create(address).let { "${address.substringBefore("://")}://${it.host}:${it.port}" }
} catch (_: IllegalArgumentException) {
    address.substringBefore("://") + "://" + address.substringAfter("://").substringAfterLast('@')
}
