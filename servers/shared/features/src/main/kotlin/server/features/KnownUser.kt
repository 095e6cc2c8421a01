package threadgauge.server.features

import org.springframework.security.core.userdetails.User
import org.springframework.security.core.userdetails.UserDetails
import org.springframework.security.crypto.password.PasswordEncoder
import threadgauge.server.work.Credentials
import javax.crypto.spec.SecretKeySpec

/** The one user, in the words of Spring Security. */
val knownUser: UserDetails get() = User.withUsername(Credentials.USER).password(Credentials.PASSWORD).roles("USER").build()

/** What signs the tokens. */
val tokenKey get() = SecretKeySpec(Credentials.KEY.toByteArray(), "HmacSHA256")

/** Compares as all stacks do, in constant time; Spring Security's own would be bcrypt, which takes longer than all the rest. */
class ComparedPasswords : PasswordEncoder {
    override fun encode(password: CharSequence?) = password?.toString()

    override fun matches(password: CharSequence?, kept: String?) = password != null && Credentials.isPassword(password)
}
