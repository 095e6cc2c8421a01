package threadgauge.server.work

import java.security.MessageDigest

/** Credentials where authentication is switched on. They open nothing but these test servers on their own machine. */
object Credentials {
    const val USER = "tester"
    const val PASSWORD = "only for tests"
    const val REALM = "threadgauge"

    /** Signs the tokens with HMAC and SHA-256. */
    const val KEY = "opens nothing but a test server of Threadgauge"

    /**
     * Signed with [KEY], for [USER], valid until the end of the year 2100. Clients send it; the stacks do not use it.
     */
    const val TOKEN =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIiLCJleHAiOjQxMzM5ODA4MDB9.-NgMQr52D4oMaonYC0ODx-uZnSA9d7y4fx2BcvWfem8"

    /**
     * Compares in constant time, and without a hash. A password in a database needs a slow hash such as bcrypt, which
     * takes longer than all other work of a request: the experiment would measure bcrypt.
     */
    fun isPassword(text: CharSequence): Boolean =
        MessageDigest.isEqual(text.toString().toByteArray(), PASSWORD.toByteArray())

    /**
     * The header `WWW-Authenticate` of an answer with 401. Form is not a registered scheme, because forms have none.
     */
    fun challenge(scheme: String) = "$scheme realm=\"$REALM\""
}
