package threadgauge.load.agent.link

import java.nio.file.Files
import java.nio.file.Path
import java.security.KeyStore
import java.security.SecureRandom
import java.security.cert.X509Certificate
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManager
import javax.net.ssl.X509TrustManager
import kotlin.io.path.deleteIfExists
import kotlin.io.path.inputStream

/**
 * A key of this process alone, with a certificate that it signed itself. Nobody trusts the certificate: both sides
 * prove by their [AgentToken] that they see the same one.
 */
internal class ListenerCertificate private constructor(val context: SSLContext, val der: ByteArray) {
    companion object {
        /**
         * Makes one with the JDK's keytool, because the JDK has no public API for certificates, and deletes its file in
         * [folder] at once. Throws [IllegalStateException] if keytool fails.
         */
        fun make(folder: Path): ListenerCertificate {
            val file = Files.createTempFile(folder, "agent", ".p12").also(Files::delete)
            val password = AgentToken.nonce()
            try {
                keytool(file, password)
                val store = KeyStore.getInstance("PKCS12")
                file.inputStream().use { store.load(it, password.toCharArray()) }
                val keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm())
                keys.init(store, password.toCharArray())
                val context = SSLContext.getInstance("TLS").apply { init(keys.keyManagers, null, SecureRandom()) }
                return ListenerCertificate(context, store.getCertificate(ALIAS).encoded)
            } finally {
                file.deleteIfExists()
            }
        }

        /** The password is passed in the environment: every user of the machine can read a command line. */
        private fun keytool(file: Path, password: String) {
            val program = Path.of(System.getProperty("java.home"), "bin", "keytool").toString()
            val process = ProcessBuilder(
                program, "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=threadgauge agent",
                "-validity", DAYS, "-keystore", "$file", "-storetype", "PKCS12", "-storepass:env", PASSWORD,
                "-alias", ALIAS,
            ).redirectErrorStream(true).apply { environment()[PASSWORD] = password }.start()
            process.outputStream.close()
            val output = process.inputReader().readText()
            check(process.waitFor() == 0) { "keytool: ${output.trim()}" }
        }

        /** For coordinators: accepts any certificate, which the proof of the token then judges. */
        val anyCertificate: SSLContext by lazy {
            SSLContext.getInstance("TLS").apply { init(null, arrayOf<TrustManager>(TrustsAnybody), SecureRandom()) }
        }

        private const val ALIAS = "agent"
        private const val DAYS = "3650"
        private const val PASSWORD = "KEYSTORE_PASSWORD"
    }

    private object TrustsAnybody : X509TrustManager {
        override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit
        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit
        override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
    }
}
