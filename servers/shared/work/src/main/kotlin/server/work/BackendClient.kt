package threadgauge.server.work

import java.util.ServiceLoader

/**
 * The client by which a fuller edition calls its backend. Where it lets only so many calls out at a time, the edition names its
 * implementation in `META-INF/services`, so that the report tells of it, and the plain edition need not know that there is a client.
 */
interface BackendClient {
    /** Most calls of one host that are under way at a time; further ones wait for their turn. */
    val maxCalls: Int

    companion object {
        /** That of the edition that runs here. Null where it has no client, or one without such a limit. */
        val here: BackendClient? by lazy {
            ServiceLoader.load(BackendClient::class.java, BackendClient::class.java.classLoader).firstOrNull()
        }
    }
}
