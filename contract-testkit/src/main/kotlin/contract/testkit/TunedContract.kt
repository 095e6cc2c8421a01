package threadgauge.contract.testkit

import java.net.URI
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.testkit.process.ServerProcess
import threadgauge.contract.testkit.process.ShippedStack

/**
 * [StackContract] for a stack of this repository with an option that changes settings, `tuned` by default. It must
 * still keep the contract, and [isTuned] must find in its self-report that the settings are in force. [main] is the
 * fully qualified name of the class with `main`, or null where the stack's jar is started.
 */
abstract class TunedContract private constructor(
    main: String?,
    stack: ShippedStack,
    private val isTuned: (settings: Map<String, String>) -> Boolean,
) : StackContract(stack.name, stack.model, checks = HttpContract.plainChecks) {
    constructor(main: String?, stack: String, isTuned: (settings: Map<String, String>) -> Boolean) :
        this(main, stack, "tuned", isTuned)

    constructor(main: String?, stack: String, option: String, isTuned: (settings: Map<String, String>) -> Boolean) :
        this(main, ShippedStack.read(stack, options = listOf(option)), isTuned)

    private val server = ServerProcess(main, stack)

    override fun start(): URI = server.start()

    override fun stop() {
        server.stop()
    }

    @Test
    fun `the self-report shows the changed settings`() {
        val report = Json.parseToJsonElement(client.get("/runtime").mustHaveStatus(200).text).jsonObject
        val settings = report.getValue("settings").jsonObject.mapValues { it.value.jsonPrimitive.content }
        assertTrue(isTuned(settings), "$settings")
    }

    companion object {
        /** Settings of every stack on Tomcat that is tuned. */
        val tomcat = mapOf(
            "connections max" to "20000", "accept queue" to "1000", "requests per connection" to "unlimited",
        )

        /** Whether [this] has all of [expected]. */
        fun Map<String, String>.show(expected: Map<String, String>) = entries.containsAll(expected.entries)
    }
}
