package threadgauge.contract.check.customer

import java.io.ByteArrayOutputStream

/** A kind of body that holds text fields. It shares no code with the servers' libraries on purpose. */
internal enum class BodyKind(val type: String) {
    JSON("application/json") {
        override fun write(fields: Map<String, String>) =
            fields.entries
                .joinToString(",", "{", "}") { (name, value) -> "\"$name\":\"${escaped(value)}\"" }.toByteArray()

        private fun escaped(text: String) =
            text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t")
    },

    /** Without a declaration. */
    XML("application/xml") {
        override fun write(fields: Map<String, String>) =
            fields.entries
                .joinToString("", "<customer>", "</customer>") { (name, value) -> "<$name>${escaped(value)}</$name>" }
                .toByteArray()

        private fun escaped(text: String) = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    },

    /** A map of indefinite length, as most libraries write objects (RFC 8949, section 3.2.2). */
    CBOR("application/cbor") {
        override fun write(fields: Map<String, String>) = ByteArrayOutputStream().apply {
            write(0xBF)
            fields.forEach { (name, value) -> writeBytes(cborText(name) + cborText(value)) }
            write(0xFF)
        }.toByteArray()
    },
    ;

    abstract fun write(fields: Map<String, String>): ByteArray
}

/** A text as one item of CBOR; at most 65,535 bytes of UTF-8. */
internal fun cborText(text: String): ByteArray {
    val bytes = text.toByteArray()
    val head = when {
        bytes.size < 24 -> listOf(0x60 + bytes.size)
        bytes.size < 256 -> listOf(0x78, bytes.size)
        else -> listOf(0x79, bytes.size shr 8, bytes.size)
    }
    return ByteArray(head.size) { head[it].toByte() } + bytes
}

/** The fields of a correct answer to a customer with the fields [sent]. */
internal fun answerTo(sent: Map<String, String>): Map<String, String> =
    (sent + ("full_name" to "${sent["first_name"]} ${sent["last_name"]}")).toSortedMap()
