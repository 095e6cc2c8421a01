package threadgauge.server.features

import javax.crypto.spec.SecretKeySpec
import org.springframework.security.core.userdetails.User
import org.springframework.security.core.userdetails.UserDetails
import org.springframework.security.crypto.password.PasswordEncoder
import threadgauge.server.work.Credentials

/** The only user, for Spring Security. */
val knownUser: UserDetails
    get() = User.withUsername(Credentials.USER).password(Credentials.PASSWORD).roles("USER").build()

/** Verifies the signatures of the tokens. */
val tokenKey get() = SecretKeySpec(Credentials.KEY.toByteArray(), "HmacSHA256")

/**
 * Compares in constant time, as all stacks do. Spring Security's default is bcrypt, which takes longer than all other
 * work of a request.
 */
class ConstantTimePasswords : PasswordEncoder {
    override fun encode(password: CharSequence?) = password?.toString()

    override fun matches(password: CharSequence?, kept: String?) = password != null && Credentials.isPassword(password)
}
