package threadgauge.load.http

import threadgauge.model.request.Protocol

/**
 * The TLS versions and cipher suites that the client offers: those that both BoringSSL and the JDK support, so that a
 * load is the same with either.
 */
internal object TlsOffer {
    val versions: List<String> = listOf("TLSv1.3", "TLSv1.2")

    /** Cipher suites by their names in Java. HTTP/2 forbids the older ones (RFC 9113, section 9.2.2). */
    fun ciphers(protocol: Protocol): List<String> = if (protocol == Protocol.HTTP_2) MODERN else MODERN + OLDER

    private val MODERN = listOf(
        "TLS_AES_256_GCM_SHA384",
        "TLS_AES_128_GCM_SHA256",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    )
    private val OLDER = listOf(
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    )
}
