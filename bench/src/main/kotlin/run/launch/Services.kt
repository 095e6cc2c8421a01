package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readLines
import threadgauge.model.Service
import threadgauge.run.agent.javaProgram
import threadgauge.target.Cores
import threadgauge.target.Leash
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.familyOf
import threadgauge.target.pinned

/**
 * The processes that stacks need beside themselves. They start at once, on the load agent's cores; [awaitReady] waits for all. Each
 * says that it is ready with a line of its output, `ready name=value name=value …`, and the values are put in for `{name}` in the
 * commands of the stacks.
 */
internal class Services(services: List<Service>, cores: Cores, logs: Path) : AutoCloseable {
    private val folders = ArrayList<Path>()
    private val running = ArrayList<Pair<Service, Leash>>()

    /** What they gave, by the names in braces that stand for it; empty before [awaitReady]. For the run's thread. */
    var places: Map<String, String> = emptyMap()
        private set

    init {
        try {
            for (service in services) {
                val folder = Files.createTempDirectory("threadgauge-${service.name}-").also(folders::add)
                val places = mapOf("java" to javaProgram(), "folder" to folder.toString(), "port" to Target.freePort().toString())
                val command = pinned(Target.filledIn(service.command, places), cores.agent)
                running += service to Leash.start(command, Path.of(service.folder), logs.resolve("${service.name}.log"))
            }
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    /** Throws [TargetFailed] when one ends instead, or is not ready in time. */
    fun awaitReady() {
        val end = System.nanoTime() + READY_NANOS_MOST
        places = running.flatMap { (service, leash) -> awaitReady(service, leash, end) }.toMap()
    }

    /** All their processes, as seen now. */
    fun family(): Set<Long> = running.flatMapTo(LinkedHashSet()) { (_, leash) -> familyOf(leash.pid) }

    /** Null while all of them run. What is measured after one has ended says nothing of the stacks. */
    fun death(): ServiceDied? = running.firstOrNull { (_, leash) -> !leash.isAlive }?.let { (service, leash) ->
        ServiceDied("${service.name} ended with exit code ${leash.exitCode}, and nothing can be measured without it. Its log: ${leash.log}")
    }

    private fun awaitReady(service: Service, leash: Leash, end: Long): List<Pair<String, String>> {
        while (true) {
            val hasEnded = !leash.isAlive
            given(leash.log)?.let { return withPassword(it) }
            if (hasEnded) throw TargetFailed("${service.name} ended with exit code ${leash.exitCode} before it was ready", leash.log)
            if (System.nanoTime() > end) throw TargetFailed("${service.name} was not ready in time", leash.log)
            Thread.sleep(POLL_MILLIS)
        }
    }

    /** Who keeps a database of his own keeps its password too: it stands in no log. */
    private fun withPassword(given: List<Pair<String, String>>): List<Pair<String, String>> {
        val names = given.map { it.first }
        return if ("user" !in names || PASSWORD in names) given else given + (PASSWORD to System.getenv("THREADGAUGE_PASSWORD").orEmpty())
    }

    override fun close() {
        running.asReversed().forEach { (_, leash) -> leash.close() }
        folders.forEach { it.toFile().deleteRecursively() }
    }
}

/** What stacks need beside themselves is gone. The message is for the user. */
internal class ServiceDied(message: String) : Exception(message)

/** The values on the line of [log] that says that its service is ready, by name; null before there is one. */
internal fun given(log: Path): List<Pair<String, String>>? = log.readLines().firstOrNull { it.startsWith(READY) }
    ?.run { removePrefix(READY).split(' ').filter { '=' in it }.map { it.substringBefore('=') to it.substringAfter('=') } }

private const val READY = "ready "
private const val PASSWORD = "password"
private const val POLL_MILLIS = 20L

/** A database has a hundred thousand rows to write. */
private const val READY_NANOS_MOST = 180_000_000_000L
