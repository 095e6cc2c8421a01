package threadgauge.serve

import java.net.InetAddress
import java.security.MessageDigest
import java.security.SecureRandom
import java.util.Base64

/**
 * Who may read the page. On loopback, programs of this machine may. Elsewhere a [token] is needed, which the address
 * that the user opens contains once; afterwards a cookie has it. Immutable.
 *
 * A page of another site must not read the runs through the browser of the user. It could give its own name the address
 * of this machine (DNS rebinding): so names that are not those of this machine are refused.
 */
class Access private constructor(
    private val names: Set<String>,
    private val takesAddresses: Boolean,
    /** Null where everybody who reaches the server may read. */
    val token: String?,
) {
    /** Name of the cookie, different for each start: cookies do not tell ports apart. */
    val cookie: String = "threadgauge-" + token?.let { fingerprint(it) }.orEmpty()

    /** Whether the header `Host` names this machine. The port may be that of a tunnel. */
    fun knows(host: String?): Boolean {
        val name = nameOf(host ?: return false)
        return name in names || takesAddresses && ADDRESS.matches(name) || LOOPBACK.matches(name)
    }

    /** Takes the same time for every wrong text. */
    fun isToken(text: String): Boolean =
        token != null && MessageDigest.isEqual(text.toByteArray(), token.toByteArray())

    /** Whether a request with these headers `Cookie` may read the runs. */
    fun lets(cookies: List<String>): Boolean = token == null || cookies.flatMap { it.split(';') }
        .any { it.substringBefore('=').trim() == cookie && isToken(it.substringAfter('=', "").trim()) }

    companion object {
        /** For a server at [address], which the user called [named]. [always]: a token is needed on loopback, too. */
        fun of(address: InetAddress, named: String, always: Boolean = false): Access {
            val isLocal = address.isLoopbackAddress
            val own = if (isLocal) emptySet() else setOf(nameOf(named)) + hostName()
            return Access(own + "localhost", !isLocal, if (isLocal && !always) null else newToken())
        }

        /** 256 bits, for an address: no character needs an escape. */
        private fun newToken(): String {
            val bytes = ByteArray(TOKEN_BYTES).also { SecureRandom().nextBytes(it) }
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
        }

        private fun fingerprint(token: String): String {
            val digest = MessageDigest.getInstance("SHA-256").digest(token.toByteArray())
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.copyOf(FINGERPRINT_BYTES))
        }

        private fun hostName(): Set<String> =
            runCatching { setOf(nameOf(InetAddress.getLocalHost().hostName)) }.getOrDefault(emptySet())

        /** Without a port, in lower case. An address of IPv6 keeps its brackets. */
        private fun nameOf(host: String): String {
            val name = if (host.startsWith('[')) host.substringBefore(']') + "]" else host.substringBefore(':')
            return name.lowercase().removeSuffix(".")
        }

        private const val TOKEN_BYTES = 32
        private const val FINGERPRINT_BYTES = 6

        /** Numbers cannot be given to another machine, as names can. */
        private val ADDRESS = Regex("""\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.%]+]""")
        private val LOOPBACK = Regex("""127(\.\d{1,3}){3}|\[::1]""")
    }
}
