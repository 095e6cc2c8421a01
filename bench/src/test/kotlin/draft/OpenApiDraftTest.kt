package threadgauge.draft

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.draft.openapi.openApiDraft
import threadgauge.experiment.read
import threadgauge.model.request.Kept
import threadgauge.report.shouldBeApproved

class OpenApiDraftTest {
    @Test
    fun `what reads becomes steps, what writes or is unknown becomes a comment, and the file is valid`() {
        val text = openApiDraft(DOCUMENT, "jar" to "shop.jar").text()
        shouldBeApproved(text, "openapi.approved.yaml")
        val experiment = read(text.replace("jar: \"shop.jar\"", "url: \"http://localhost:8080\""))
        experiment.name shouldBe "the-shop"
        val steps = experiment.situations.single().scenarios.single().steps
        steps.map { it.request.path } shouldContainExactly listOf(
            "/api/products?sort=price", "/api/products/{productsId}", "/api/users/{1..100}",
            "/api/search?q=red%20shoes",
        )
        steps.first().keep shouldBe mapOf("productsId" to Kept.Json("0.id"))
    }

    @Test
    fun `a document in JSON is read, too, and what is none is said`() {
        val json = """{"openapi": "3.0.1", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": {"responses":
            {"200": {"description": "ok"}}}}}}"""
        openApiDraft(json).scenarios.single().steps.single().line shouldBe "GET /x"
        shouldThrow<DraftFailed> { openApiDraft("hello") }.message shouldContain "no OpenAPI 3 document"
        shouldThrow<DraftFailed> { openApiDraft("swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths: {}") }
        shouldThrow<DraftFailed> { openApiDraft(json.replace("\"get\"", "\"post\"")) }.message shouldContain
            "needs a GET without parameters"
    }

    private companion object {
        val DOCUMENT = """
            openapi: 3.0.3
            info: {title: "The Shop?", version: "1"}
            servers: [{url: https://shop.test/api/}]
            paths:
              /products:
                get:
                  parameters:
                    - {name: sort, in: query, required: true, schema: {type: string, enum: [price, name]}}
                    - {name: page, in: query, schema: {type: integer}}
                  responses:
                    "200":
                      description: ok
                      content:
                        application/json:
                          schema: {type: array, items: {${'$'}ref: "#/components/schemas/Product"}}
                post:
                  requestBody: {content: {application/json: {example: {name: "a shoe"}}}}
                  responses: {"201": {description: made}}
              /products/{id}:
                get:
                  parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                  responses: {"200": {description: ok}}
              /users/{number}:
                get:
                  parameters: [{${'$'}ref: "#/components/parameters/Number"}]
                  responses: {"200": {description: ok}}
              /search:
                get:
                  parameters: [{name: q, in: query, required: true, example: "red shoes", schema: {type: string}}]
                  responses: {"200": {description: ok}}
              /orders/{order}:
                get:
                  parameters:
                    - {name: order, in: path, required: true, schema: {type: string}}
                    - {name: X-Tenant, in: header, required: true, schema: {type: string}}
                  responses: {"200": {description: ok}}
            components:
              parameters:
                Number: {name: number, in: path, required: true, schema: {type: integer, maximum: 100}}
              schemas:
                Product: {type: object, properties: {id: {type: string}, name: {type: string}}}
        """.trimIndent()
    }
}
