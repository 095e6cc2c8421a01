package threadgauge.server.certificate

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import java.security.interfaces.ECKey

@Tag("processes")
class CertificateTest {
    @Test
    fun `the key store opens with the password, and its certificate is for this machine and is the one beside it`(@TempDir folder: File) {
        val made = Certificate.make(folder)
        val store = KeyStore.getInstance("PKCS12").apply { made.keystore.inputStream().use { load(it, made.password.toCharArray()) } }
        (store.getKey(Certificate.ALIAS, made.password.toCharArray()) is ECKey) shouldBe true
        val certificate = store.getCertificate(Certificate.ALIAS) as X509Certificate
        certificate.subjectAlternativeNames.map { it[1] } shouldContainExactlyInAnyOrder listOf("localhost", "127.0.0.1")
        certificate.verify(certificate.publicKey)
        made.pem.inputStream().use { CertificateFactory.getInstance("X.509").generateCertificate(it) } shouldBe certificate
    }

    @Test
    fun `each is another one`(@TempDir one: File, @TempDir other: File) {
        val (first, second) = listOf(one, other).map(Certificate::make)
        first.password shouldNotBe second.password
        first.pem.readText() shouldNotBe second.pem.readText()
    }
}
