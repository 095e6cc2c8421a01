package threadgauge.tickets.faults

import threadgauge.tickets.history.History
import threadgauge.tickets.history.brokenPromises
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration

/** What a sale takes: a database behind a proxy, a Redis where one is needed, and as many services as are wanted. It all ends with this. */
internal class Stage(kind: BooksKind = BooksKind.POSTGRESQL) : AutoCloseable {
    private val home = Path.of("../..").toRealPath()
    private val folder: Path = Files.createTempDirectory("threadgauge-faults-")
    private val opened = ArrayList<AutoCloseable>()
    private var services = 0
    val books = begun { Books(home, folder, kind) }
    val proxy = begun { Proxy(books.port, kind.listen) }
    val memory: Memory by lazy { begun { Memory(home, folder) } }

    /** Before the [memory], for services. */
    val memoryProxy: Proxy by lazy { begun { Proxy(memory.port, ::RedisTalk) } }

    /** Begins to start one more service, which sells by that [strategy] and whose clock is so far [ahead]. */
    fun service(strategy: String, settings: Map<String, String> = emptyMap(), ahead: Duration = Duration.ZERO): Replica {
        val shared = if (strategy in WITH_MEMORY) "redis://127.0.0.1:${memoryProxy.port}" else null
        return begun { Replica(home, folder, ++services, books, proxy, strategy, shared, ahead, settings) }
    }

    /** Before the [service], for callers who are to be cut off from it. */
    fun door(service: Replica): Proxy = begun { Proxy(service.place.port, ::HttpTalk) }

    /** What [callers] were promised and did not get, by what the books say of the [event] now. */
    fun broken(event: Long, capacity: Int, callers: List<Caller>) =
        brokenPromises(History(capacity, callers.flatMap { it.calls }, books.entries(event), listOf(books.snapshot(event))))

    private fun <T : AutoCloseable> begun(make: () -> T): T = try {
        make().also(opened::add)
    } catch (failure: Exception) {
        close()
        throw failure
    }

    override fun close() {
        opened.asReversed().forEach { runCatching { it.close() } }
        folder.toFile().deleteRecursively()
    }

    private companion object {
        val WITH_MEMORY = listOf("redis-lua", "redis-lock", "queue", "naive")
    }
}
