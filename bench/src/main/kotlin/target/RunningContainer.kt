package threadgauge.target

import java.nio.file.Path
import java.util.HexFormat
import java.util.random.RandomGenerator
import threadgauge.model.Container
import threadgauge.model.failure.ContainerFault

/**
 * A container that cannot outlive its owner: whoever ends the program that started it, the supervisor removes it. What
 * it is and where it answers is asked of the engine until it is known, at most every [PAUSE_NANOS].
 *
 * Belongs to one thread, except for [family] and [close].
 */
internal class RunningContainer private constructor(
    private val engine: ContainerEngine,
    private val container: Container,
    private val name: String,
    val command: List<String>,
    private val published: Int,
    private val cores: List<Int>,
    val supervised: SupervisedProcess,
    /** When the engine was asked to start it, by [System.nanoTime]. */
    val startedNanos: Long,
) {
    @Volatile
    private var seen: ContainerSeen? = null

    @Volatile
    private var lastLook: Long? = null

    /** Its main process; null while it is not known, and if it cannot be seen. */
    val pid: Long? get() = look()?.localPid

    /** Host and port of its own network; null while they are not known, and if it shares that of this machine. */
    fun place(): Pair<String, Int>? {
        val port = container.port ?: return null
        return look()?.let { engine.place(it, port, published) }
    }

    /**
     * The same for another container, which shares a network with it. Throws [NoContainer] where the engine gives
     * containers no address.
     */
    fun placeForContainers(): Pair<String, Int>? {
        val port = container.port ?: return null
        val address = look()?.address ?: throw NoContainer(ContainerFault.NoAddress(container.image, engine.program))
        return address to port
    }

    /** The engine's own program listens at [place] and passes on what it gets, also while nobody serves. */
    val isPublished: Boolean get() = place()?.second == published

    /** The ports that it may be asked on. */
    val ports: List<Int> get() = listOfNotNull(container.port, published)

    /** Its processes: those that the main one started, as all of a container are. */
    fun family(): Set<Long> = pid?.let(::familyOf).orEmpty()

    private fun look(): ContainerSeen? {
        seen?.let { return it }
        val now = System.nanoTime()
        if (!supervised.isAlive || lastLook?.let { now - it < PAUSE_NANOS } == true) return null
        lastLook = now
        return engine.look(name)?.also { first ->
            seen = first
            // Some runtimes give a container all cores, whatever its parent has.
            if (!engine.pinsItself) first.localPid?.let { moveToCores(it, cores, wholeProcess = true) }
        }
    }

    companion object {
        /**
         * Starts [container] with [arguments] and the variables [environment], pinned to [cores], with its output in
         * [log]. In these, [ContainerEngine.HOST_NAME] stands for this machine. Throws [NoContainer] if there is no
         * engine or no image, and [TargetFailed].
         */
        fun start(
            container: Container,
            arguments: List<String>,
            environment: Map<String, String>,
            cores: List<Int>,
            log: Path,
        ): RunningContainer {
            val engine = ContainerEngine.of(container)
            val name = "threadgauge-" + HexFormat.of().formatHex(ByteArray(NAME_BYTES).also(RANDOM::nextBytes))
            val published = Target.freePort()
            val placed = environment.mapValues { it.value.replace(ContainerEngine.HOST_NAME, engine.hostName) }
            // The engine's program and the shell around it read some themselves.
            val (read, named) = placed.entries.partition { READ_BY_ENGINES.containsMatchIn(it.key) }
                .toList().map { its -> its.associate { it.key to it.value } }
            val given = named.keys + read.map { (key, value) -> "$key=$value" }
            val command = engine.start(name, container, arguments, given, published, cores)
            val startedNanos = System.nanoTime()
            val supervised = SupervisedProcess.start(
                command, Path.of("").toAbsolutePath(), log, named, inherits = System.getenv(),
                afterwards = engine.remove(name),
            )
            return RunningContainer(
                engine, container, name, command, published, cores, supervised, startedNanos,
            )
        }

        private const val NAME_BYTES = 6
        private val READ_BY_ENGINES = Regex(
            "^(PATH|HOME|TMPDIR|(LD|XDG|DOCKER|CONTAINERS?|CONTAINERD|NERDCTL|BUILDAH|REGISTRY)_.*|.*_proxy)$",
            RegexOption.IGNORE_CASE,
        )
        private const val PAUSE_NANOS = 200_000_000L
        private val RANDOM = RandomGenerator.of("SecureRandom")
    }
}

/** [fault] is why a container cannot be started. */
internal class NoContainer(val fault: ContainerFault) : Exception("$fault")
