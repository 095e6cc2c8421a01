package threadgauge.server.customers

import threadgauge.server.work.Customers
import tools.jackson.core.JacksonException
import tools.jackson.databind.ObjectMapper
import tools.jackson.databind.cfg.MapperBuilder
import tools.jackson.databind.json.JsonMapper
import tools.jackson.dataformat.cbor.CBORMapper
import tools.jackson.dataformat.xml.XmlMapper
import tools.jackson.module.kotlin.kotlinModule

/**
 * The kinds of bodies, for frameworks that leave XML and CBOR to their users. The first one answers clients that accept
 * any.
 */
enum class BodyKind(val type: String, mapper: MapperBuilder<*, *>) {
    JSON("application/json", JsonMapper.builder()),
    XML("application/xml", XmlMapper.builder()),
    CBOR("application/cbor", CBORMapper.builder()),
    ;

    private val mapper: ObjectMapper = mapper.addModules(kotlinModule(), StrictRootNames()).build()

    /** Throws [Customers.notACustomer] where [body] is not a customer of this kind. */
    fun read(body: ByteArray): NewCustomer = try {
        mapper.readValue(body, NewCustomer::class.java) ?: throw Customers.notACustomer
    } catch (_: JacksonException) {
        throw Customers.notACustomer
    }

    fun write(customer: SavedCustomer): ByteArray = mapper.writeValueAsBytes(customer)

    companion object {
        /** The kind of this media type. Parameters such as the charset are ignored. */
        fun of(type: String?): BodyKind? =
            entries.firstOrNull { it.type == type?.substringBefore(';')?.trim()?.lowercase() }
    }
}
