package threadgauge.server.customers

import threadgauge.server.work.Customers
import tools.jackson.core.JsonParser
import tools.jackson.core.JsonToken
import tools.jackson.databind.BeanDescription
import tools.jackson.databind.DeserializationConfig
import tools.jackson.databind.DeserializationContext
import tools.jackson.databind.ValueDeserializer
import tools.jackson.databind.deser.ValueDeserializerModifier
import tools.jackson.databind.deser.std.DelegatingDeserializer
import tools.jackson.databind.deser.std.StdScalarDeserializer
import tools.jackson.databind.module.SimpleModule
import tools.jackson.dataformat.xml.deser.FromXmlParser

/** Accepts only texts. By default Jackson converts numbers, bytes, and elements with others in them. */
internal class StrictText : StdScalarDeserializer<String>(String::class.java) {
    override fun deserialize(parser: JsonParser, context: DeserializationContext): String {
        if (!parser.hasToken(JsonToken.VALUE_STRING)) {
            context.reportWrongTokenException(this, JsonToken.VALUE_STRING, "not a text")
        }
        return parser.string
    }
}

/** Accepts only a root element with the right name. By default Jackson ignores the name. */
class StrictRootNames : SimpleModule("roots by name") {
    init {
        setDeserializerModifier(OfCustomers)
    }

    private object OfCustomers : ValueDeserializerModifier() {
        override fun modifyDeserializer(
            config: DeserializationConfig,
            description: BeanDescription.Supplier,
            plain: ValueDeserializer<*>,
        ): ValueDeserializer<*> = if (description.beanClass == NewCustomer::class.java) ByName(plain) else plain
    }

    private class ByName(private val plain: ValueDeserializer<*>) : DelegatingDeserializer(plain) {
        override fun newDelegatingInstance(other: ValueDeserializer<*>) = ByName(other)

        override fun deserialize(parser: JsonParser, context: DeserializationContext): Any? {
            val element = (parser as? FromXmlParser)?.staxReader
            if (element != null && (element.localName != Customers.ROOT || !element.namespaceURI.isNullOrEmpty())) {
                context.reportInputMismatch<Any>(this, "not a customer's element")
            }
            return super.deserialize(parser, context)
        }
    }
}
