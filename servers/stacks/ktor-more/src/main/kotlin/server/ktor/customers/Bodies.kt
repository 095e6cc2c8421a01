package threadgauge.server.ktor.customers

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import nl.adaptivity.xmlutil.serialization.XmlElement
import nl.adaptivity.xmlutil.serialization.XmlSerialName
import threadgauge.server.work.Customer
import threadgauge.server.work.Customers

/** A customer as it was received. [validated] checks it. By default the XML library would read texts as attributes. */
@Serializable
@XmlSerialName(Customers.ROOT)
internal class NewCustomer(
    @XmlElement @SerialName(Customers.FIRST_NAME) val firstName: String? = null,
    @XmlElement @SerialName(Customers.LAST_NAME) val lastName: String? = null,
    @XmlElement @SerialName(Customers.EMAIL) val email: String? = null,
    @XmlElement @SerialName(Customers.NOTE) val note: String? = null,
) {
    fun validated(): SavedCustomer = Customer.of(firstName, lastName, email, note)
        .run { SavedCustomer(email, firstName, fullName, lastName, note) }
}

/** A customer as it is answered, in the order of the properties. Properties with their default value are left out. */
@Serializable
@XmlSerialName(Customers.ROOT)
internal class SavedCustomer(
    @XmlElement @SerialName(Customers.EMAIL) val email: String,
    @XmlElement @SerialName(Customers.FIRST_NAME) val firstName: String,
    @XmlElement @SerialName(Customers.FULL_NAME) val fullName: String,
    @XmlElement @SerialName(Customers.LAST_NAME) val lastName: String,
    @XmlElement @SerialName(Customers.NOTE) val note: String? = null,
)
