package threadgauge.load.agent.link

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.load.agent.Address
import threadgauge.model.AgentCeiling

/**
 * What coordinator and listener say to each other besides orders and the agent's messages: lines that begin with an
 * exclamation mark, with JSON after it.
 *
 * The listener greets; the coordinator asks; the listener accepts, starts and warms up an agent, and is prepared; or it
 * denies and hangs up. After that lines are passed on, and pings and reaches are answered while the agent is idle.
 */
@Serializable
internal sealed interface LinkMessage {
    @Serializable
    @SerialName("greeting")
    data class Greeting(val protocol: Int, val threadgauge: String, val nonce: String) : LinkMessage

    @Serializable
    @SerialName("asking")
    data class Asking(val threadgauge: String, val nonce: String, val proof: String) : LinkMessage

    @Serializable
    @SerialName("accepted")
    data class Accepted(val proof: String) : LinkMessage

    @Serializable
    @SerialName("denied")
    data class Denied(val why: Denial, val detail: String? = null) : LinkMessage

    /** The agent accepts orders. */
    @Serializable
    @SerialName("prepared")
    data class Prepared(val java: String, val operatingSystem: String, val cores: Int, val ceiling: AgentCeiling) :
        LinkMessage

    @Serializable
    @SerialName("ping")
    data object Ping : LinkMessage

    /** The listener's clocks when it read the ping: `System.nanoTime`, and nanoseconds since 1970. */
    @Serializable
    @SerialName("pong")
    data class Pong(val nanos: Long, val epochNanos: Long) : LinkMessage

    /** Can the agent's machine connect to [target]? */
    @Serializable
    @SerialName("reach")
    data class Reach(val target: Address) : LinkMessage

    /** Nanoseconds that connections took to open, one after the other; [problem] where one did not. */
    @Serializable
    @SerialName("reached")
    data class Reached(val nanos: List<Long>, val problem: String? = null) : LinkMessage

    companion object {
        private const val MARK = '!'
        private val json = Json { encodeDefaults = true }

        fun lineOf(message: LinkMessage): String = MARK + json.encodeToString(serializer(), message)

        /** Null for a line that is to be passed on. Throws [SerializationException] on anything else. */
        fun of(line: String): LinkMessage? =
            if (line.startsWith(MARK)) json.decodeFromString(serializer(), line.substring(1)) else null
    }
}

/** Why a listener hangs up. */
@Serializable
internal enum class Denial {
    /** The proof is of another token. */
    TOKEN,

    /** Another version of Threadgauge; agents of different versions would not measure alike. */
    VERSION,

    /** It works for another coordinator. */
    BUSY,

    /** Its agent did not start. */
    FAILED,

    /** An order wants to load a host that the listener was not allowed to. */
    HOST,
}
