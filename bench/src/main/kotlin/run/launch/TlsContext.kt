package threadgauge.run.launch

import java.net.Socket
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLEngine
import javax.net.ssl.TrustManager
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509ExtendedTrustManager
import threadgauge.model.request.Tls

/**
 * SSL context that trusts the certificate authorities of [tls], for `java.net.http`: the system's if it names none, any
 * certificate if it is insecure.
 */
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

/**
 * For users who asked for it. Because it is an extended trust manager, the client does not verify the host name either.
 */
private object TrustsAnybody : X509ExtendedTrustManager() {
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit
    override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
}
