package threadgauge.server.work

import java.security.MessageDigest

/** Who may call where authentication is switched on. All of it opens nothing but these test servers on the machine they run on. */
object Credentials {
    const val USER = "tester"
    const val PASSWORD = "only for tests"
    const val REALM = "threadgauge"

    /** Signs the tokens by HMAC with SHA-256. */
    const val KEY = "opens nothing but a test server of Threadgauge"

    /** Signed with [KEY], for [USER], valid until the end of the year 2100. The stacks do not need it: who calls them does. */
    const val TOKEN =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIiLCJleHAiOjQxMzM5ODA4MDB9.-NgMQr52D4oMaonYC0ODx-uZnSA9d7y4fx2BcvWfem8"

    /**
     * In constant time, and without a hash. A slow hash such as bcrypt is what a password needs in a database, and takes longer than all
     * else that a server does for a request; the experiment would measure bcrypt.
     */
    fun isPassword(text: CharSequence): Boolean = MessageDigest.isEqual(text.toString().toByteArray(), PASSWORD.toByteArray())

    /** The header `WWW-Authenticate` of an answer that refuses. Form is no registered scheme: a form has none. */
    fun challenge(scheme: String) = "$scheme realm=\"$REALM\""
}
