package threadgauge.server.customers

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import tools.jackson.core.JacksonException
import tools.jackson.databind.ObjectMapper
import tools.jackson.dataformat.cbor.CBORMapper
import tools.jackson.dataformat.xml.XmlMapper
import tools.jackson.module.kotlin.jsonMapper
import tools.jackson.module.kotlin.kotlinModule
import tools.jackson.module.kotlin.readValue

class BodiesTest {
    private val json = jsonMapper { addModules(kotlinModule(), StrictRootNames()) }
    private val xml = XmlMapper.builder().addModules(kotlinModule(), StrictRootNames()).build()
    private val cbor = CBORMapper.builder().addModules(kotlinModule(), StrictRootNames()).build()

    @Test
    fun `an answer has its fields in alphabetical order, without a note that is null`() {
        val saved = NewCustomer("Ada", "Lovelace", "a@b", null).validated()
        json.writeValueAsString(saved) shouldBe
            """{"email":"a@b","first_name":"Ada","full_name":"Ada Lovelace","last_name":"Lovelace"}"""
        xml.writeValueAsString(NewCustomer("A", "B", "a@b", "<").validated()) shouldBe
            "<customer><email>a@b</email><first_name>A</first_name><full_name>A B</full_name>" +
            "<last_name>B</last_name><note>&lt;</note></customer>"
    }

    @Test
    fun `missing fields are null, and unknown fields are ignored`() {
        val fromJson = json.readValue<NewCustomer>("""{"first_name":"Ada","x":[1],"note":null}""")
        listOf(fromJson.firstName, fromJson.lastName, fromJson.note) shouldBe listOf("Ada", null, null)
        val fromXml = xml.readValue<NewCustomer>("<customer><x><note>n</note></x><first_name/></customer>")
        listOf(fromXml.firstName, fromXml.note) shouldBe listOf("", null)
    }

    @Test
    fun `only texts are accepted as fields`() {
        listOf("5", "1.5", "true", "[]", "[\"a\"]", "{}").forEach { mustReject(json, """{"note":$it}""".toByteArray()) }
        mustReject(xml, "<customer><note><b>n</b></note></customer>".toByteArray())
        listOf(mapOf("note" to 5), mapOf("note" to byteArrayOf(1)))
            .forEach { mustReject(cbor, cbor.writeValueAsBytes(it)) }
    }

    @Test
    fun `only a root element with the right name is a customer`() {
        listOf("<person/>", "<customer xmlns=\"urn:x\"/>", "<c:customer xmlns:c=\"urn:x\"><note>n</note></c:customer>")
            .forEach { mustReject(xml, it.toByteArray()) }
    }

    private fun mustReject(mapper: ObjectMapper, body: ByteArray) {
        shouldThrow<JacksonException> { mapper.readValue(body, NewCustomer::class.java) }
    }
}
