package threadgauge.server.certificate

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.io.File
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import java.security.interfaces.ECKey
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

@Tag("processes")
class CertificateTest {
    @Test
    fun `the key store holds a key, and the certificate of the PEM file for this machine`(@TempDir folder: File) {
        val made = Certificate.make(folder)
        val password = made.password.toCharArray()
        val store = KeyStore.getInstance("PKCS12").apply { made.keystore.inputStream().use { load(it, password) } }
        (store.getKey(Certificate.ALIAS, password) is ECKey) shouldBe true
        val certificate = store.getCertificate(Certificate.ALIAS) as X509Certificate
        val names = certificate.subjectAlternativeNames.map { it[1] }
        names shouldContainExactlyInAnyOrder listOf("localhost", "127.0.0.1")
        certificate.verify(certificate.publicKey)
        val reader = CertificateFactory.getInstance("X.509")
        made.pem.inputStream().use(reader::generateCertificate) shouldBe certificate
    }

    @Test
    fun `each certificate is new`(@TempDir one: File, @TempDir other: File) {
        val (first, second) = listOf(one, other).map(Certificate::make)
        first.password shouldNotBe second.password
        first.pem.readText() shouldNotBe second.pem.readText()
    }
}
