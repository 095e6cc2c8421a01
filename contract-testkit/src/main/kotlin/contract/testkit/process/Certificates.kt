package threadgauge.contract.testkit.process

import java.io.File
import java.nio.file.Files
import java.security.KeyStore
import java.security.cert.CertificateFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory

/**
 * A certificate of `servers/services/certificate`, which must be on the class path of the test. One for all tests of a
 * module.
 */
internal object Certificates {
    /** What the service prints when it is ready, by name: the files, and the password of the key store. */
    val endpoints: Map<String, String> by lazy {
        val folder = Files.createTempDirectory("threadgauge-certificate-").toFile()
        val service = ServiceProcess("threadgauge.server.certificate.MainKt", listOf("--folder=$folder"))
        Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.deleteRecursively() } })
        service.start()
    }

    /** SSL context that trusts this certificate and no other. */
    val sslContext: SSLContext by lazy {
        val reader = CertificateFactory.getInstance("X.509")
        val certificate = File(endpoints.getValue("certificate")).inputStream().use(reader::generateCertificate)
        val known = KeyStore.getInstance("PKCS12").apply {
            load(null, null)
            setCertificateEntry("stack", certificate)
        }
        val managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(known) }
        SSLContext.getInstance("TLS").apply { init(null, managers.trustManagers, null) }
    }
}
