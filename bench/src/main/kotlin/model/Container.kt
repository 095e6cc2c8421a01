package threadgauge.model

import kotlinx.serialization.Serializable

/** The container in which a service of the user's own runs: [image], with the words of the command as its arguments. */
@Serializable
data class Container(
    val image: String,
    /**
     * Port on which it serves in a network of its own. Null: it shares the network of this machine, and is told a free
     * port as a process is.
     */
    val port: Int? = null,
    /** Options for the engine, such as `--memory=512m`. */
    val options: List<String> = emptyList(),
)
