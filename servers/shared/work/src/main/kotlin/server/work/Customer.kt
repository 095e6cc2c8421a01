package threadgauge.server.work

/** A valid customer, created by [of] alone. */
class Customer private constructor(val firstName: String, val lastName: String, val email: String, val note: String?) {
    val fullName: String get() = "$firstName $lastName"

    companion object {
        /**
         * Validates the fields of a body; a missing field is null. Throws [BadRequest] for the first invalid field, in
         * this order.
         */
        fun of(firstName: String?, lastName: String?, email: String?, note: String?): Customer {
            if (!listOfNotNull(firstName, lastName, email, note).all { it.isText }) throw Customers.notACustomer
            return Customer(
                firstName.ofLength(1..MAX_NAME_LENGTH)
                    ?: throw BadRequest("first_name must be 1 to $MAX_NAME_LENGTH characters"),
                lastName.ofLength(1..MAX_NAME_LENGTH)
                    ?: throw BadRequest("last_name must be 1 to $MAX_NAME_LENGTH characters"),
                email.ofLength(1..MAX_EMAIL_LENGTH)?.takeIf { it.count { char -> char == '@' } == 1 }
                    ?: throw BadRequest("email must be 1 to $MAX_EMAIL_LENGTH characters with exactly one @"),
                note?.let {
                    it.ofLength(0..MAX_NOTE_LENGTH)
                        ?: throw BadRequest("note must be at most $MAX_NOTE_LENGTH characters")
                },
            )
        }

        /** In Unicode characters: an emoji is one, although Java counts two. */
        private fun String?.ofLength(range: IntRange): String? =
            takeIf { it != null && it.codePointCount(0, it.length) in range }

        /**
         * Every kind of body can hold it. Half an emoji cannot be written, nor can characters that XML 1.0 lacks (its
         * section 2.2).
         */
        private val String.isText: Boolean
            get() = codePoints()
                .allMatch { it >= 0x20 && it !in 0xD800..0xDFFF && it !in 0xFFFE..0xFFFF || it in BLANKS }

        private val BLANKS = setOf('\t'.code, '\n'.code, '\r'.code)
        private const val MAX_NAME_LENGTH = 100
        private const val MAX_EMAIL_LENGTH = 200
        private const val MAX_NOTE_LENGTH = 500
    }
}

/** Rules that all stacks share, whichever library reads and writes customers. */
object Customers {
    /** A longer body is rejected, and not read to its end. */
    const val MAX_BODY_BYTES = 100_000

    /** Kinds of bodies that are read and written. A client that accepts any gets the first. */
    const val KINDS = "application/json, application/xml or application/cbor"

    /** For a body that is malformed, or whose fields are no texts. */
    val notACustomer get() = BadRequest("the body is not a customer")

    /** Names of the fields. An answer has them in alphabetical order. In XML their parent element is [ROOT]. */
    const val EMAIL = "email"
    const val FIRST_NAME = "first_name"
    const val FULL_NAME = "full_name"
    const val LAST_NAME = "last_name"
    const val NOTE = "note"
    const val ROOT = "customer"
}
