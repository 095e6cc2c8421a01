package threadgauge.contract.check.customer

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Reply
import threadgauge.contract.example.Sabotage
import threadgauge.contract.example.problem

/** Each way to answer a customer wrongly is found. */
@Tag("processes")
class CustomerChecksTest {
    @Test
    fun `a correct server gets no more requests than there is time for`() {
        var requests = 0
        against({ right -> right().also { requests++ } }) { it.shouldBeEmpty() }
        requests shouldBeLessThanOrEqual 62
    }

    @Test
    fun `fields in another order are found, and the sentence quotes the request`() = against({ right ->
        right().run { copy(body = body.replace(EMAIL_FIRST, EMAIL_LAST)) }
    }) {
        it.first() shouldStartWith
            "/customers answers in the kind that the client accepts, and in JSON where it accepts any: "
        it.first() shouldContain "POST /customers, Content-Type: application/json with body \"{\"first_name\":\"Ada\""
        it.first() shouldContain "expected body \"{\"email\":\"ada@example.org\",\"first_name\""
    }

    @Test
    fun `a null note that is not left out is found`() = against({ right ->
        right().run {
            if (status == 201 && "note" !in body) copy(body = body.replace("\"}", "\",\"note\":null}")) else this
        }
    }) { it.first() shouldContain "\"note\":null" }

    @Test
    fun `an answer of another type than its bytes is found`() = against({ right ->
        right().run { if (type == "application/cbor") copy(type = "application/octet-stream") else this }
    }) { it.first() shouldContain "expected content type application/cbor, got application/octet-stream" }

    @Test
    fun `200 instead of 201 is found`() = against({ right ->
        right().run { if (status == 201) copy(status = 200) else this }
    }) {
        it.first() shouldContain "expected status 201, got 200"
    }

    @Test
    fun `a field that is not checked is found`() = against({ right ->
        right().run { if ("note must be" in body) Reply(201, "application/json", "{}") else this }
    }) {
        it shouldHaveSize 1
        it.single() shouldStartWith
            "/customers rejects a missing or invalid field, and reports the first one: POST /customers"
    }

    @Test
    fun `an external entity that is resolved is found`() = against({ right ->
        right().run {
            if ("not a customer" !in body) this
            else problem(400, "Bad Request", "first_name must be 1 to 100 characters")
        }
    }) { it.joinToString() shouldContain "/customers reads no file that an XML entity names: POST /customers" }

    @Test
    fun `an Allow header with another method is found`() = against({ right ->
        right().run { if (status == 405) copy(headers = mapOf("Allow" to "GET, POST")) else this }
    }) { it.single() shouldContain "expected the header Allow to be POST, got GET, POST" }

    @Test
    fun `a body that is too long and accepted is found`() = against({ right ->
        right().run { if (status == 413) Reply(201, "application/json", "{}") else this }
    }) { it.single() shouldContain "expected status 413, got 201" }

    private fun against(sabotage: (right: () -> Reply) -> Reply, verify: (List<String>) -> Unit) {
        val customersOnly: Sabotage = { exchange, right ->
            if (exchange.requestURI.path == CUSTOMERS) sabotage(right) else right()
        }
        val violations = ExampleServer(sabotage = customersOnly).use {
            HttpContract.violations(Access(it.base), "example", "VIRTUAL_THREADS", setOf(CUSTOMERS))
        }
        withClue(violations) { verify(violations) }
    }

    private companion object {
        const val EMAIL_FIRST = "{\"email\":\"ada@example.org\",\"first_name\":\"Ada\""
        const val EMAIL_LAST = "{\"first_name\":\"Ada\",\"email\":\"ada@example.org\""
    }
}
