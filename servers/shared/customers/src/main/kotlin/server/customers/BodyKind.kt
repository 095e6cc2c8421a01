package threadgauge.server.customers

import threadgauge.server.work.Customers
import tools.jackson.core.JacksonException
import tools.jackson.databind.ObjectMapper
import tools.jackson.databind.cfg.MapperBuilder
import tools.jackson.databind.json.JsonMapper
import tools.jackson.dataformat.cbor.CBORMapper
import tools.jackson.dataformat.xml.XmlMapper
import tools.jackson.module.kotlin.kotlinModule

/** The kinds of bodies, for frameworks that leave XML and CBOR to their users. What the client gets where it takes any is the first. */
enum class BodyKind(val type: String, mapper: MapperBuilder<*, *>) {
    JSON("application/json", JsonMapper.builder()),
    XML("application/xml", XmlMapper.builder()),
    CBOR("application/cbor", CBORMapper.builder()),
    ;

    private val mapper: ObjectMapper = mapper.addModules(kotlinModule(), RootsByName()).build()

    /** Throws what a body is refused with that holds no customer of this kind. */
    fun read(body: ByteArray): NewCustomer = try {
        mapper.readValue(body, NewCustomer::class.java) ?: throw Customers.notACustomer
    } catch (_: JacksonException) {
        throw Customers.notACustomer
    }

    fun write(customer: SavedCustomer): ByteArray = mapper.writeValueAsBytes(customer)

    companion object {
        /** The kind of this name; parameters such as the charset are passed over. */
        fun of(type: String?): BodyKind? = entries.firstOrNull { it.type == type?.substringBefore(';')?.trim()?.lowercase() }
    }
}
