package threadgauge.tickets.service.http

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import kotlin.reflect.KClass
import kotlin.reflect.full.primaryConstructor
import org.junit.jupiter.api.Test
import org.springframework.core.annotation.AnnotatedElementUtils
import org.springframework.web.bind.annotation.RequestMapping
import org.yaml.snakeyaml.Yaml
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats

/** The OpenAPI description matches what the controllers serve. */
class OpenApiTest {
    private val api = Node(Yaml().load<Any>(javaClass.getResource("/static/openapi.yaml")!!.readText()))

    @Test
    fun `exactly the requests that are served are described`() {
        val served = CONTROLLERS
            .flatMap { it.java.declaredMethods.toList() }
            .mapNotNull { AnnotatedElementUtils.findMergedAnnotation(it, RequestMapping::class.java) }
            .flatMap { mapping -> mapping.path.map { path -> "${mapping.method.single()} $path" } }
            .plus("POST $RESERVE_PATH")
            .plus(OF_THE_FRAMEWORK.map { "GET $it" })
            .distinct() // A suspending function compiles to two methods.
        val described = api["paths"].keys.flatMap { path -> api["paths"][path].keys.map { "${it.uppercase()} $path" } }
        described shouldContainExactlyInAnyOrder served
    }

    @Test
    fun `bodies have exactly the described members`() {
        val schemas = api["components"]["schemas"]
        val bodies = mapOf(
            "Event" to EventBody::class, "Reservation" to ReservationBody::class, "AnswerStats" to AnswerStats::class,
            "Admission" to AdmissionBody::class,
        )
        bodies.forEach { (name, body) ->
            schemas[name]["properties"].keys shouldContainExactlyInAnyOrder membersOf(body)
            schemas[name]["required"].list shouldContainExactlyInAnyOrder membersOf(body)
        }
        schemas["Reservation"]["properties"]["state"]["enum"].list shouldBe ReservationState.entries.map { it.name }
        bodyOf("/events")["properties"].keys shouldContainExactlyInAnyOrder membersOf(OpenBody::class)
        bodyOf("/reservation")["properties"].keys shouldContainExactlyInAnyOrder membersOf(PublishedBody::class)
    }

    @Test
    fun `described limits are those that are enforced`() {
        bodyOf("/events/{event}/reservations")["properties"]["quantity"]["maximum"].value shouldBe Seats.MAX
        val parameters = api["paths"]["/events/{event}/reservations"]["post"]["parameters"].nodes
        val key = parameters.single { it["name"].value == "Idempotency-Key" }
        key["schema"]["maxLength"].value shouldBe IdempotencyKey.MAX_LENGTH
    }

    @Test
    fun `all possible answers to a reservation are described`() {
        val described = api["paths"]["/events/{event}/reservations"]["post"]["responses"].keys.map { it.toInt() }
        val possible = Problem.entries - setOf(
            Problem.TOO_LARGE, Problem.NOT_ALLOWED, Problem.NO_SUCH_RESERVATION, Problem.OVER,
            // For input that never becomes a request.
            Problem.TARGET_TOO_LONG, Problem.HEADERS_TOO_LARGE, Problem.TOO_SLOW,
        )
        described shouldContainAll possible.map { it.status.value() } + 201
    }

    private fun bodyOf(path: String) =
        api["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]

    private fun membersOf(body: KClass<*>) = body.primaryConstructor!!.parameters.map { it.name!! }

    @Test
    fun `every request that uses the ledger may be answered with 503`() {
        val paths = api["paths"]
        val usingLedger = paths.keys.filter { it != "/stats" && it !in OF_THE_FRAMEWORK }
        usingLedger.flatMap { path -> paths[path].keys.map { "$it $path" to paths[path][it]["responses"].keys } }
            .filter { (_, statuses) -> "503" !in statuses }.map { it.first }.shouldBeEmpty()
    }

    internal companion object {
        /** Served by the framework; `ApiTest` checks them on the running service. */
        val OF_THE_FRAMEWORK = listOf("/health/liveness", "/health/readiness", "/metrics")
        private val CONTROLLERS = listOf(
            AdmissionController::class, EventController::class, PublishedController::class,
            ReservationController::class, StatsController::class,
        )
    }

    /** A node of the document. */
    private class Node(val value: Any?) {
        val keys: List<String> get() = (value as Map<*, *>).keys.map { "$it" }
        val list: List<Any?> get() = value as List<*>
        val nodes: List<Node> get() = list.map(::Node)

        operator fun get(key: String): Node {
            val map = value as Map<*, *>
            return Node(checkNotNull(map[key]) { "no $key among ${map.keys}" })
        }
    }
}
