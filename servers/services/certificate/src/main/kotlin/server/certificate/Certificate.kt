package threadgauge.server.certificate

import java.io.File
import java.security.SecureRandom
import java.util.HexFormat

/**
 * A new key on the curve P-256 and a self-signed certificate for localhost and 127.0.0.1. [keystore] holds both
 * (PKCS12, alias [ALIAS]); [pem] holds the certificate alone, for clients that must trust it. Created by the JDK's
 * keytool, because the JDK has no public API for certificates.
 */
class Certificate private constructor(val keystore: File, val password: String, val pem: File) {
    companion object {
        const val ALIAS = "localhost"

        fun make(folder: File): Certificate {
            val (keystore, pem) = listOf("keystore.p12", "certificate.pem").map { folder.resolve(it).absoluteFile }
            val made = Certificate(keystore, newPassword(), pem)
            val key = arrayOf("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=$ALIAS")
            made.keytool("-genkeypair", *key, *NAMES, "-validity", DAYS)
            made.keytool("-exportcert", "-rfc", "-file", made.pem.path)
            return made
        }

        private fun newPassword() = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

        private val NAMES = arrayOf("-ext", "SAN=dns:localhost,ip:127.0.0.1")

        /** Far longer than a run, and too short to be useful to anybody who finds it. */
        private const val DAYS = "30"
        private const val PASSWORD = "KEYSTORE_PASSWORD"
    }

    /** The password is passed in the environment: every user of the machine can read a command line. */
    private fun keytool(what: String, vararg more: String) {
        val program = File(System.getProperty("java.home"), "bin/keytool").path
        val store = listOf("-keystore", keystore.path, "-storetype", "PKCS12", "-storepass:env", PASSWORD) +
            listOf("-alias", ALIAS)
        val process = ProcessBuilder(listOf(program, what) + store + more).redirectErrorStream(true)
            .apply { environment()[PASSWORD] = password }.start()
        process.outputStream.close()
        val output = process.inputReader().readText()
        check(process.waitFor() == 0) { "keytool $what failed: ${output.trim()}" }
    }
}
