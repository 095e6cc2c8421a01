package threadgauge.contract.check.customer

/** Customers to send, valid and invalid ones. */
internal object CustomerSamples {
    val ada = mapOf("first_name" to "Ada", "last_name" to "Lovelace", "email" to "ada@example.org")
    val adaInJson = BodyKind.JSON.write(ada)

    /** Characters that some kind must escape, and characters of one to four bytes. */
    val colourful = ada + mapOf("first_name" to "Ægir \"<&>\" O'\\Neill", "note" to "a/b\n\tñ € 😀 ]]> \u2028")

    /** An emoji is one character, and two in Java. */
    val longest = mapOf(
        "first_name" to "😀".repeat(100),
        "last_name" to "é".repeat(100),
        "email" to "a@" + "b".repeat(198),
        "note" to "€".repeat(500),
    )

    val cborOfKnownLength =
        BodyKind.CBOR.write(ada).let { byteArrayOf(0xA3.toByte()) + it.copyOfRange(1, it.size - 1) }

    /** Ada, with unknown fields, and with a null note where the kind has null. */
    val withUnknownFields = mapOf(
        BodyKind.JSON to
            text(ada, BodyKind.JSON).replaceFirst("{", """{"x":{"y":[1,null,{"z":true}]},"note":null,""").toByteArray(),
        BodyKind.XML to text(ada, BodyKind.XML)
            .replaceFirst(">", " id=\"1\">\n <x a=\"1\"><y>z</y></x>").toByteArray(),
        // A list of 1 and {"y": true}, and null.
        BodyKind.CBOR to BodyKind.CBOR.write(ada).let { body ->
            body.copyOf(1) + cborText("x") + bytes(0x82, 1, 0xA1) + cborText("y") + bytes(0xF5) +
                cborText("note") + bytes(0xF6) + body.copyOfRange(1, body.size)
        },
    )

    /** Malformed, of another form, with a number or elements where a text belongs, or with half a character. */
    val notCustomers: Map<BodyKind, List<ByteArray>> = mapOf(
        BodyKind.JSON to listOf(
            "", "{\"note\":", "[]", "null", text(ada, BodyKind.JSON) + "x", "{\"note\":5}", "{\"note\":\"\\ud83d\"}",
        ),
        BodyKind.XML to listOf(
            "", "<customer><note>", text(ada, BodyKind.XML) + "<x/>", "<person/>",
            "<customer><note><b>A</b></note></customer>",
        ),
    ).mapValues { (_, bodies) -> bodies.map { it.toByteArray() } } + (
        BodyKind.CBOR to listOf(
            ByteArray(0), BodyKind.CBOR.write(ada).let { it.copyOf(it.size - 4) },
            bytes(0xA1) + cborText("note") + bytes(5),
        )
        )

    /** Fields, and the detail that reports the first invalid one. */
    val invalidFields = listOf(
        emptyMap<String, String>() to FIRST_NAME,
        ada + ("first_name" to "") to FIRST_NAME,
        ada + ("first_name" to "a".repeat(101)) to FIRST_NAME,
        mapOf("first_name" to "Ada", "note" to "n".repeat(501)) to LAST_NAME,
        ada + ("last_name" to "é".repeat(101)) to LAST_NAME,
        ada - "email" + ("note" to "n".repeat(501)) to EMAIL,
        ada + ("email" to "ada") to EMAIL,
        ada + ("email" to "ada@example@org") to EMAIL,
        ada + ("email" to "a@" + "b".repeat(199)) to EMAIL,
        ada + ("note" to "n".repeat(501)) to "note must be at most 500 characters",
    )

    /** No customer in any kind. */
    val notACustomer = "x".toByteArray()

    /** With an external entity, which must not be resolved. */
    val externalEntity = text(ada, BodyKind.XML).replace("Ada", "&e;")
        .replaceFirst("<", "<!DOCTYPE customer [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><").toByteArray()

    private fun text(fields: Map<String, String>, kind: BodyKind) = kind.write(fields).decodeToString()

    private fun bytes(vararg values: Int) = ByteArray(values.size) { values[it].toByte() }

    private const val FIRST_NAME = "first_name must be 1 to 100 characters"
    const val LAST_NAME = "last_name must be 1 to 100 characters"
    private const val EMAIL = "email must be 1 to 200 characters with exactly one @"
}
