package threadgauge.contract.testkit.process

import java.io.File
import java.nio.file.Files
import java.security.KeyStore
import java.security.cert.CertificateFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory

/** A certificate of `servers/services/certificate`, which must be on the class path of the test: one for all tests of a module. */
internal object Certificates {
    /** What it gives to the commands of stacks. */
    val places: Map<String, String> by lazy {
        val folder = Files.createTempDirectory("threadgauge-certificate-").toFile()
        val service = ServiceProcess("threadgauge.server.certificate.MainKt", listOf("--folder=$folder"))
        Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.deleteRecursively() } })
        service.start()
    }

    /** Trusts that certificate and no other. */
    val trust: SSLContext by lazy {
        val reader = CertificateFactory.getInstance("X.509")
        val certificate = File(places.getValue("certificate")).inputStream().use(reader::generateCertificate)
        val known = KeyStore.getInstance("PKCS12").apply {
            load(null, null)
            setCertificateEntry("stack", certificate)
        }
        val managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(known) }
        SSLContext.getInstance("TLS").apply { init(null, managers.trustManagers, null) }
    }
}
