package threadgauge.load.http

import java.net.Socket
import java.security.KeyStore
import java.security.cert.CertificateException
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import javax.net.ssl.SSLEngine
import javax.net.ssl.TrustManager
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509ExtendedTrustManager

/**
 * Believes what the certificate authorities in [pem] signed, and without it what those of this Java signed, for the
 * host that is dialled. Throws `IllegalArgumentException` where [pem] holds no certificates.
 */
internal fun trust(pem: String?): TrustManager {
    val factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
    factory.init(pem?.let(::authorities))
    return NamesWithUnderscores(factory.trustManagers.filterIsInstance<X509ExtendedTrustManager>().single())
}

private fun authorities(pem: String): KeyStore {
    val certificates = try {
        CertificateFactory.getInstance("X.509").generateCertificates(pem.byteInputStream())
    } catch (e: CertificateException) {
        throw IllegalArgumentException("no certificates in PEM", e)
    }
    require(certificates.isNotEmpty()) { "no certificates in PEM" }
    val store = KeyStore.getInstance(KeyStore.getDefaultType()).apply { load(null, null) }
    certificates.forEachIndexed { number, certificate -> store.setCertificateEntry("$number", certificate) }
    return store
}

/**
 * Java refuses to compare a name with an underscore, as networks of containers give them, with any certificate. Here
 * such a name is compared as every other: chain by [java], name by RFC 9525, section 6.3.
 */
private class NamesWithUnderscores(private val java: X509ExtendedTrustManager) : X509ExtendedTrustManager() {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String, engine: SSLEngine) {
        val host = engine.peerHost.orEmpty().removeSuffix(".")
        if ('_' !in host) return java.checkServerTrusted(chain, authType, engine)
        java.checkServerTrusted(chain, authType)
        val names = chain.first().subjectAlternativeNames.orEmpty().filter { it[0] == DNS_NAME }.map { it[1] as String }
        if (names.none { matches(it, host) }) {
            throw CertificateException("the certificate is for ${names.ifEmpty { listOf("no name") }}, not for $host")
        }
    }

    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String, socket: Socket) =
        java.checkServerTrusted(chain, authType, socket)

    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) =
        java.checkServerTrusted(chain, authType)

    override fun checkClientTrusted(chain: Array<X509Certificate>, authType: String, engine: SSLEngine) =
        java.checkClientTrusted(chain, authType, engine)

    override fun checkClientTrusted(chain: Array<X509Certificate>, authType: String, socket: Socket) =
        java.checkClientTrusted(chain, authType, socket)

    override fun checkClientTrusted(chain: Array<X509Certificate>, authType: String) =
        java.checkClientTrusted(chain, authType)

    override fun getAcceptedIssuers(): Array<X509Certificate> = java.acceptedIssuers
}

/** A star stands for the whole first label, and for nothing else. */
private fun matches(name: String, host: String): Boolean {
    val rest = name.removePrefix("*.")
    if (rest == name) return name.equals(host, ignoreCase = true)
    return '.' in rest && '.' in host && host.substringAfter('.').equals(rest, ignoreCase = true)
}

/** The type of a name in a certificate (RFC 5280, section 4.2.1.6). */
private const val DNS_NAME = 2
