package threadgauge.load.http

import io.netty.handler.ssl.ApplicationProtocolConfig
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.OpenSsl
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslContextBuilder
import io.netty.handler.ssl.SslProvider
import io.netty.handler.ssl.SupportedCipherSuiteFilter
import io.netty.handler.ssl.util.InsecureTrustManagerFactory
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

/**
 * The client's side of TLS for [protocol], which offers what [TlsOffer] says, by BoringSSL where its library loads, by
 * the JDK elsewhere. Shared by all event loops. Throws `IllegalArgumentException` where the authorities are no
 * certificates in PEM.
 */
internal fun tlsClient(tls: Tls, protocol: Protocol): SslContext {
    val builder = SslContextBuilder.forClient()
        .protocols(TlsOffer.versions)
        .ciphers(TlsOffer.ciphers(protocol), SupportedCipherSuiteFilter.INSTANCE)
        .sslProvider(if (OpenSsl.isAvailable()) SslProvider.OPENSSL else SslProvider.JDK)
        .applicationProtocolConfig(
            ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                if (protocol == Protocol.HTTP_2) ApplicationProtocolNames.HTTP_2 else ApplicationProtocolNames.HTTP_1_1,
            ),
        )
    if (tls.insecure) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null)
    } else {
        builder.trustManager(trust(tls.authorities))
    }
    return builder.build()
}
