package threadgauge.server.work

import java.util.ServiceLoader

/**
 * The client with which a fuller edition calls its backend. An edition whose client limits its concurrent calls names
 * its implementation in `META-INF/services`, so that the self-report has the limit. The plain edition need not know of
 * a client.
 */
interface BackendClient {
    /** Limit of concurrent calls to one host. Further calls queue. */
    val maxCalls: Int

    companion object {
        /** Of the running edition. Null where it has no client, or one without a limit. */
        val here: BackendClient? by lazy {
            ServiceLoader.load(BackendClient::class.java, BackendClient::class.java.classLoader).firstOrNull()
        }
    }
}
