package threadgauge.run.agent

import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.io.path.createDirectories
import kotlin.io.path.readSymbolicLink
import kotlin.io.path.writeText
import kotlin.math.abs
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.agent.Address
import threadgauge.load.agent.Agent
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.Agents
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.link.AgentDied
import threadgauge.load.agent.link.AgentToken
import threadgauge.load.agent.link.RemoteLink
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentHost
import threadgauge.model.Load
import threadgauge.model.WhenLost
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failure
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled

/** Listeners of this JVM, each with an agent in a process of its own, and coordinators that talk to them over TLS. */
@Tag("processes")
class AgentListenerTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `agents behind listeners carry out a load together, and every request is counted once`() {
        Counting().use { server ->
            Listening("one").use { one ->
                Listening("two").use { two ->
                    val links = listOf(one, two).map { RemoteLink.open(it.at, TOKEN) }
                    Agents(links.map(::Agent)).use { agents ->
                        val started = ArrayList<AgentMessage.Started>()
                        val begun = System.nanoTime()
                        val done = agents.load(order(server.port, Load.Loops(users = 4, loops = 50))) {
                            if (it is AgentMessage.Started) started += it
                        }
                        done.scheduled shouldBe 200
                        withClue(done) { done.answered shouldBe 200 }
                        server.requests.get() shouldBe 200
                        done.missingShare shouldBe 0.0
                        // In our time: the load began after the order was given, and before it was carried out.
                        val start = started.shouldHaveSize(1).single().startNanos
                        (start - begun) shouldBeLessThan System.nanoTime() - begun
                        links.forEach { link ->
                            // It is the same machine, so its clock is ours.
                            withClue(link.clock) {
                                abs(link.clock.aheadNanos) shouldBeLessThan MS + link.clock.boundNanos
                            }
                            link.seen.cores shouldBe Runtime.getRuntime().availableProcessors()
                        }
                        val clocks = links.map { it.clock }
                        agents.compareClocks()
                        links.zip(clocks).forEach { (link, before) ->
                            withClue(link.clock) {
                                (link.clock === before) shouldBe false
                                abs(link.clock.aheadNanos) shouldBeLessThan MS + link.clock.boundNanos
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    fun `an agent is reached by the right token alone, and by one coordinator at a time`() {
        Listening("only").use { listening ->
            val wrong = AgentToken.of(AgentToken.new()).shouldNotBeNull()
            faultOf { RemoteLink.open(listening.at, wrong) } shouldBe AgentFault.WrongToken
            await { ListenerEvent.Denied("127.0.0.1", SentAway.TOKEN) in listening.events }
            RemoteLink.open(listening.at, TOKEN).use {
                faultOf { RemoteLink.open(listening.at, TOKEN) } shouldBe AgentFault.Busy
            }
            // Its agent is stopped, and the next coordinator gets a new one.
            await { listening.events.any { it is ListenerEvent.Ended } }
            childrenOf(listening).shouldBeEmpty()
            RemoteLink.open(listening.at, TOKEN).close()
        }
    }

    @Test
    fun `what is no listener is told apart, and so is nothing at all`() {
        val free = ServerSocket(0).use { it.localPort }
        faultOf { RemoteLink.open(AgentHost("127.0.0.1", free), TOKEN) }.shouldBeInstanceOf<AgentFault.NoConnection>()
        faultOf { RemoteLink.open(AgentHost("no-such-machine.invalid"), TOKEN) } shouldBe AgentFault.UnknownHost
        Counting().use { plain ->
            val patience = RemoteLink.Patience(answerMillis = 300)
            faultOf { RemoteLink.open(AgentHost("127.0.0.1", plain.port), TOKEN, patience) }
                .shouldBeInstanceOf<AgentFault.NoListener>()
        }
        ServerSocket(0, 5, InetAddress.getLoopbackAddress()).use { mute ->
            val patience = RemoteLink.Patience(answerMillis = 300)
            faultOf { RemoteLink.open(AgentHost("127.0.0.1", mute.localPort), TOKEN, patience) }
                .shouldBeInstanceOf<AgentFault.NoListener>()
        }
    }

    @Test
    fun `loads go to hosts that were allowed, and nowhere else`() {
        Listening("strict").use { listening ->
            RemoteLink.open(listening.at, TOKEN).let { link ->
                Agent(link).use { agent ->
                    val elsewhere = order(80, Load.Users(1, 1_000_000)).copy(targets = listOf(Address("192.0.2.1", 80)))
                    faultOf { agent.load(elsewhere) {} } shouldBe AgentFault.MayNotLoad("192.0.2.1")
                }
            }
            await { listening.events.any { it is ListenerEvent.Ended } }
            RemoteLink.open(listening.at, TOKEN).let { link ->
                Agent(link).use {
                    // A name for an address of this machine does not help.
                    faultOf { link.reach(Address("localhost", 80, ip = "192.0.2.1")) } shouldBe
                        AgentFault.MayNotLoad("192.0.2.1")
                }
            }
        }
        Listening("lenient", mayLoad = setOf("192.0.2.1")).use { listening ->
            RemoteLink.open(listening.at, TOKEN).let { link ->
                Agent(link).use {
                    val free = ServerSocket(0).use { it.localPort }
                    shouldThrow<RemoteLink.NoWay> { link.reach(Address("127.0.0.1", free)) }
                    Counting().use { link.reach(Address("127.0.0.1", it.port)) shouldHaveSize 11 }
                }
            }
        }
    }

    @Test
    fun `an agent lost in mid-load ends the run, or is missing from it, as was asked`() {
        for (whenLost in WhenLost.entries) {
            Counting().use { server ->
                Listening("kept-$whenLost").use { kept ->
                    Listening("lost-$whenLost").use { lost ->
                        val links = listOf(kept, lost).map { RemoteLink.open(it.at, TOKEN) }
                        Agents(links.map(::Agent), whenLost).use { agents ->
                            val long = order(server.port, Load.Rate(100.0, 3_000_000_000))
                            var isKilled = false
                            val result = runCatching {
                                agents.load(long) {
                                    if (it is AgentMessage.Pulse && !isKilled) {
                                        isKilled = true
                                        childrenOf(lost).single().destroyForcibly()
                                    }
                                }
                            }
                            if (whenLost == WhenLost.STOP) {
                                val died = result.exceptionOrNull() as AgentDied
                                died.failure.shouldBeInstanceOf<Failure.RemoteAgent>()
                            } else {
                                result.getOrThrow().let {
                                    it.missingShare shouldBe 0.5
                                    it.scheduled shouldBe 150
                                }
                                agents.size shouldBe 1
                                val whole = agents.load(order(server.port, Load.Rate(100.0, 1_000_000_000))) {}
                                whole.scheduled shouldBe 100
                                whole.missingShare shouldBe 0.0
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    fun `a listener that ends takes its agent along`() {
        val listening = Listening("ended")
        val link = RemoteLink.open(listening.at, TOKEN)
        val children = childrenOf(listening)
        children shouldHaveSize 1
        listening.close()
        children.forEach { child -> await { !child.isAlive } }
        link.receive().shouldBeNull()
        link.close()
    }

    private fun faultOf(what: () -> Unit): AgentFault =
        (shouldThrow<AgentDied> { what() }.failure as Failure.RemoteAgent).fault

    private fun order(port: Int, load: Load) = WorkOrder(
        1, load, Request(path = "/", expect = Expectation(body = "ok")), listOf(Address("127.0.0.1", port)),
    )

    /** Running agents of [listening]: their errors go to a log in its folder. */
    private fun childrenOf(listening: Listening): List<ProcessHandle> =
        ProcessHandle.current().children().toList().filter { child ->
            val errors = runCatching { Path.of("/proc/${child.pid()}/fd/2").readSymbolicLink() }.getOrNull()
            child.isAlive && errors != null && errors.startsWith(listening.home)
        }

    private val tokenFile: Path by lazy { folder.resolve("token").also { it.writeText("$SECRET\n") } }

    @Test
    fun `a listener for one ends when its coordinator is gone, and not when somebody else was sent away`() {
        Listening("one", stay = Stay.FOR_ONE).use { one ->
            shouldThrow<AgentDied> { RemoteLink.open(one.at, AgentToken.of(AgentToken.new())!!) }
            one.serving.isAlive shouldBe true
            RemoteLink.open(one.at, TOKEN).close()
            one.serving.join(10_000)
            one.serving.isAlive shouldBe false
            one.events.last().shouldBeInstanceOf<ListenerEvent.Ended>()
        }
    }

    private inner class Listening(
        name: String,
        mayLoad: Set<String> = emptySet(),
        stay: Stay = Stay.FOR_ALL,
    ) : AutoCloseable {
        val home: Path = folder.resolve(name).createDirectories().toRealPath()
        val events = ConcurrentLinkedQueue<ListenerEvent>()
        private val cancellation = Cancellation()
        private val listener = AgentListener(
            InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tokenFile, mayLoad, home, cancellation,
            { AgentCeiling(10_000.0, 50.0) }, { events += it }, stay,
        )
        val serving = thread(name = "listener-$name") {
            try {
                listener.serve()
            } catch (_: Cancelled) {
                // That is how it ends.
            }
        }
        val at: AgentHost

        init {
            await { events.any { it is ListenerEvent.Listening } }
            at = AgentHost("127.0.0.1", events.firstNotNullOf { it as? ListenerEvent.Listening }.port)
        }

        override fun close() {
            cancellation.cancel()
            serving.join()
        }
    }

    private class Counting : AutoCloseable {
        val requests = AtomicInteger()
        private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100).also {
            it.executor = Executors.newVirtualThreadPerTaskExecutor()
            it.createContext("/") { exchange ->
                requests.incrementAndGet()
                exchange.sendResponseHeaders(200, 2)
                exchange.responseBody.use { body -> body.write("ok".toByteArray()) }
            }
            it.start()
        }
        val port: Int get() = server.address.port

        override fun close() = server.stop(0)
    }

    private companion object {
        const val SECRET = "a token of the tests, 32 characters or more"
        val TOKEN = AgentToken.of(SECRET)!!
        const val MS = 1_000_000L

        fun await(condition: () -> Boolean) {
            val end = System.nanoTime() + 60_000_000_000
            while (!condition()) {
                check(System.nanoTime() < end) { "waited in vain" }
                Thread.sleep(10)
            }
        }
    }
}
