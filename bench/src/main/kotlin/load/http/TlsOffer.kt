package threadgauge.load.http

import threadgauge.model.Protocol

/**
 * What the client offers to a server for encryption: what both BoringSSL and the JDK can do, so that a load means the
 * same where one of them is missing.
 */
internal object TlsOffer {
    val versions: List<String> = listOf("TLSv1.3", "TLSv1.2")

    /** HTTP/2 is not spoken over the older ones (RFC 9113, section 9.2.2). By their names in Java. */
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
