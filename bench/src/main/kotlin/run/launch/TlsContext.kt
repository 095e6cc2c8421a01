package threadgauge.run.launch

import java.net.Socket
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLEngine
import javax.net.ssl.SSLParameters
import javax.net.ssl.TrustManager
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509ExtendedTrustManager
import threadgauge.model.Protocol
import threadgauge.model.Tls
import threadgauge.model.TlsOffer

/** Believes whom [tls] says, for Java's own client. */
internal fun sslContext(tls: Tls): SSLContext = SSLContext.getInstance("TLS").apply {
    val authorities = tls.authorities
    val trust = when {
        tls.insecure -> arrayOf<TrustManager>(TrustsAnybody)
        authorities == null -> null
        else -> {
            val certificates =
                CertificateFactory.getInstance("X.509").generateCertificates(authorities.byteInputStream())
            val store = KeyStore.getInstance(KeyStore.getDefaultType()).apply { load(null) }
            certificates.forEachIndexed { index, it -> store.setCertificateEntry("$index", it) }
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(store) }
                .trustManagers
        }
    }
    init(null, trust, null)
}

/** The same offer as the load agent's. */
internal fun offer(protocol: Protocol): SSLParameters {
    val known = SSLContext.getDefault().supportedSSLParameters.cipherSuites.toSet()
    val ciphers = TlsOffer.ciphers(protocol).filter { it in known }
    return SSLParameters(ciphers.toTypedArray(), TlsOffer.versions.toTypedArray())
}

/** For a user who asked for it. Being an extended one, it also keeps the client from comparing the name of the host. */
private object TrustsAnybody : X509ExtendedTrustManager() {
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit
    override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
}
