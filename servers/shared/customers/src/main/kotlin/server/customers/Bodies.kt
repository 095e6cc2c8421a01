package threadgauge.server.customers

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonProperty
import com.fasterxml.jackson.annotation.JsonRootName
import threadgauge.server.work.Customer
import threadgauge.server.work.Customers
import tools.jackson.databind.annotation.JsonDeserialize

/** A customer as it was received. [validated] checks it. */
class NewCustomer(
    @param:JsonProperty(Customers.FIRST_NAME) @param:JsonDeserialize(using = StrictText::class) val firstName: String?,
    @param:JsonProperty(Customers.LAST_NAME) @param:JsonDeserialize(using = StrictText::class) val lastName: String?,
    @param:JsonProperty(Customers.EMAIL) @param:JsonDeserialize(using = StrictText::class) val email: String?,
    @param:JsonProperty(Customers.NOTE) @param:JsonDeserialize(using = StrictText::class) val note: String?,
) {
    fun validated(): SavedCustomer = Customer.of(firstName, lastName, email, note)
        .run { SavedCustomer(email, firstName, fullName, lastName, note) }
}

/** A customer as it is answered, in the order of the properties. */
@JsonRootName(Customers.ROOT)
@JsonInclude(JsonInclude.Include.NON_NULL)
class SavedCustomer(
    @get:JsonProperty(Customers.EMAIL) val email: String,
    @get:JsonProperty(Customers.FIRST_NAME) val firstName: String,
    @get:JsonProperty(Customers.FULL_NAME) val fullName: String,
    @get:JsonProperty(Customers.LAST_NAME) val lastName: String,
    @get:JsonProperty(Customers.NOTE) val note: String?,
)
