package threadgauge.load.agent.link

import java.security.MessageDigest
import java.security.SecureRandom
import java.util.HexFormat
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/**
 * A secret that a coordinator and its agents share. Each side proves to the other that it knows it, and the secret
 * never travels.
 *
 * Certificates of agents are their own, so they prove nothing: whoever sits between could show one of its own. So the
 * proof is an HMAC (RFC 2104) over the certificate that the prover saw or has, and over a fresh number of each side; in
 * the middle it is worthless, and so is an old one.
 */
class AgentToken private constructor(private val secret: ByteArray) {
    /** What [role] shows the other side, in hexadecimal digits. [certificate] is in DER. */
    fun proof(role: Role, certificate: ByteArray, listenersNonce: String, coordinatorsNonce: String): String {
        val mac = Mac.getInstance(ALGORITHM).apply { init(SecretKeySpec(secret, ALGORITHM)) }
        val fingerprint = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate))
        val said = listOf("threadgauge", "$PROTOCOL", role.name, fingerprint, listenersNonce, coordinatorsNonce)
        return HexFormat.of().formatHex(mac.doFinal(said.joinToString("\n").toByteArray()))
    }

    /** Whether [shown] is [proof], in a time that does not depend on where they differ. */
    fun proves(shown: String, role: Role, certificate: ByteArray, listenersNonce: String, coordinatorsNonce: String) =
        MessageDigest.isEqual(
            shown.toByteArray(), proof(role, certificate, listenersNonce, coordinatorsNonce).toByteArray(),
        )

    /** Who proves something; otherwise one side could answer with the other's own proof. */
    enum class Role { COORDINATOR, LISTENER }

    companion object {
        /** Of the conversation; another one is not understood. */
        internal const val PROTOCOL = 1
        private const val ALGORITHM = "HmacSHA256"

        /** 128 bits in hexadecimal digits: short ones could be guessed from a proof. */
        const val LEAST_LENGTH = 32

        /** [text] without blanks around it; null if it is too short to be a secret. */
        fun of(text: String): AgentToken? =
            text.trim().takeIf { it.length >= LEAST_LENGTH }?.let { AgentToken(it.toByteArray()) }

        /** A new secret: 256 random bits in hexadecimal digits. */
        fun new(): String = nonce()

        /** A number that nobody can foresee: 256 random bits in hexadecimal digits. */
        internal fun nonce(): String = HexFormat.of().formatHex(ByteArray(32).also(SecureRandom()::nextBytes))
    }
}
