package threadgauge.target

import java.net.InetAddress
import java.net.NetworkInterface
import java.nio.file.Path
import kotlin.io.path.readText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import threadgauge.model.Container
import threadgauge.model.failure.ContainerFault

/**
 * A program that starts containers, [program]: Docker, Podman or nerdctl, which have the same commands. It is called,
 * and not its API, because the user has set it up: where it runs, which of several, and how to log in (decision 0071).
 *
 * [isRootless]: it runs without the rights of root, so containers have no address that this machine reaches.
 * [sharesNetwork]: a container can have the network of this machine.
 *
 * For any thread; each call starts a process and waits for it.
 */
class ContainerEngine internal constructor(
    val program: String,
    private val isRootless: Boolean,
    val sharesNetwork: Boolean,
    private val isPodman: Boolean,
) {
    /** Whether it pins containers itself. Podman without root cannot. */
    val pinsItself: Boolean = !isPodman

    /** The name by which a container with a network of its own finds this machine. Podman gives one to all. */
    val hostName: String = if (isPodman) "host.containers.internal" else HOST_NAME

    /**
     * Starts [container] under the name [name] in the foreground, pinned to [cores], with [arguments]. It has those of
     * the environment that the command gets whose names are in [variables], so that no value stands in the list of
     * processes, and those that stand there with a value. Its port, if it has a network of its own, is [published] on
     * the loopback address.
     */
    fun start(
        name: String,
        container: Container,
        arguments: List<String>,
        variables: Collection<String>,
        published: Int,
        cores: List<Int>,
    ): List<String> {
        val network =
            if (container.port == null) listOf("--network=host")
            else listOf("--publish=$LOOPBACK:$published:${container.port}") + hostNameOption
        val own = listOf("run", "--rm", "--name=$name", "--label=threadgauge", "--pull=never") + network
        val pins =
            if (cores.isEmpty() || !pinsItself) emptyList() else listOf("--cpuset-cpus=${cores.joinToString(",")}")
        val command = listOf(program) + own + pins + variables.sorted().map { "--env=$it" } + container.options +
            container.image + arguments
        return if (pinsItself) command else pinned(command, cores)
    }

    private val hostNameOption: List<String>
        get() = if (isPodman) emptyList() else listOf("--add-host=$hostName:host-gateway")

    /** Ends the container [name] at once and removes it. Does nothing where it is gone. */
    fun remove(name: String): List<String> = listOf(program, "rm", "--force", name)

    /** What [image] is now, whatever it was when it had the same name; null if it is gone. */
    fun identity(image: String): String? {
        val call = called(listOf(program, "image", "inspect", "--format={{.Id}}", image), PATIENCE_SECONDS)
        return call?.takeIf { it.exitCode == 0 }?.output?.trim()?.ifEmpty { null }
    }

    /** The container [name] as it runs now; null before it does, and once it is gone. */
    fun look(name: String): ContainerSeen? {
        val call = called(listOf(program, "inspect", "--type=container", "--format={{json .}}", name), PATIENCE_SECONDS)
        if (call?.exitCode != 0) return null
        return containerSeen(call.output)
    }

    /** Where the container answers that [seen] is and that serves at [port], or at [published] on this machine. */
    fun place(seen: ContainerSeen, port: Int, published: Int): Pair<String, Int> {
        val address = seen.address?.takeIf { !isRootless && seen.localPid != null && isOnABridgeOfOurs(it) }
        return if (address == null) LOOPBACK to published else address to port
    }

    companion object {
        /** Stands for [hostName] until the engine is known, and is Docker's name. */
        const val HOST_NAME = "host.docker.internal"

        /** Programs that are tried, in this order; `THREADGAUGE_ENGINE` names another one, or one of them. */
        private val PROGRAMS: List<String>
            get() = (System.getProperty("threadgauge.engine") ?: System.getenv("THREADGAUGE_ENGINE"))?.let(::listOf)
                ?: listOf("docker", PODMAN, "nerdctl")

        /** The first of [programs] that works and has the image of [container]. Throws [NoContainer]. */
        fun of(container: Container, programs: List<String> = PROGRAMS): ContainerEngine {
            val image = container.image
            val silent = ArrayList<ContainerFault>()
            val working = ArrayList<String>()
            for (program in programs) {
                val info = called(listOf(program, "info", "--format={{json .}}"), PATIENCE_SECONDS) ?: continue
                val why = whyUnusable(info)
                if (why != null) {
                    silent += ContainerFault.EngineSilent(image, program, why)
                    continue
                }
                working += program
                val engine = engine(program, info.output)
                if (engine.identity(image) == null) continue
                if (container.port != null || engine.sharesNetwork) return engine
                throw NoContainer(ContainerFault.NoSharedNetwork(image, program))
            }
            throw NoContainer(
                if (working.isNotEmpty()) ContainerFault.NoImage(image, working)
                else silent.firstOrNull() ?: ContainerFault.NoEngine(image, programs),
            )
        }

        private fun whyUnusable(info: Called): String? = serverErrors(info.output)
            ?: info.detail.ifEmpty { "no answer within $PATIENCE_SECONDS s" }.takeIf { info.exitCode != 0 }
    }
}

/** What an engine tells of a container: its main process [pid] as the engine sees it, and its [address], if any. */
class ContainerSeen(private val id: String, private val pid: Long, val address: String?) {
    /**
     * Its main process; null if that runs in a virtual machine, as on macOS and Windows. The kernel's name for the
     * control group of a container has its identity, so another process of the same number is not taken for it.
     */
    val localPid: Long? =
        pid.takeIf { runCatching { id in Path.of("/proc/$it/cgroup").readText() }.getOrDefault(false) }
}

/** Reads an engine's answer to `inspect` of one container that runs; null otherwise. Podman answers with a list. */
internal fun containerSeen(json: String): ContainerSeen? = runCatching {
    val answer = Json.parseToJsonElement(json)
    val all = (if (answer is JsonArray) answer.first() else answer).jsonObject
    val pid = all.at("State", "Pid")?.toLongOrNull()?.takeIf { it > 0 } ?: return null
    val networks = (all["NetworkSettings"] as? JsonObject)?.get("Networks") as? JsonObject
    val addresses = networks.orEmpty().values.mapNotNull { it.jsonObject.at("IPAddress")?.ifEmpty { null } }
    ContainerSeen(checkNotNull(all.at("Id")), pid, addresses.firstOrNull())
}.getOrNull()

/** Reads the answer of [program] to `info`. Docker and Podman say at different places whether they have no root. */
internal fun engine(program: String, json: String): ContainerEngine {
    val all = runCatching { Json.parseToJsonElement(json).jsonObject }.getOrDefault(JsonObject(emptyMap()))
    val options = runCatching { all.getValue("SecurityOptions").jsonArray.map { (it as JsonPrimitive).content } }
    val isPodman = "host" in all
    val isRootless =
        if (isPodman) all.at("host", "security", "rootless") == "true"
        else options.getOrDefault(emptyList()).any { "rootless" in it }
    // Elsewhere containers are in a virtual machine.
    val isRemote = !System.getProperty("os.name").startsWith("Linux") || all.at("OperatingSystem") == DESKTOP ||
        all.at("host", "serviceIsRemote") == "true"
    return ContainerEngine(program, isRootless, sharesNetwork = !isRemote && (isPodman || !isRootless), isPodman)
}

/** Some versions of Docker answer to `info` although their daemon does not, and say so among other things. */
private fun serverErrors(json: String): String? = runCatching {
    Json.parseToJsonElement(json).jsonObject.getValue("ServerErrors").jsonArray.map { (it as JsonPrimitive).content }
}.getOrNull()?.takeIf { it.isNotEmpty() }?.joinToString(" ")

private fun JsonObject.at(vararg names: String): String? {
    var element: JsonElement? = this
    for (name in names) element = (element as? JsonObject)?.get(name)
    return (element as? JsonPrimitive)?.content
}

/** Whether [address] is of a network to which this machine has a direct way. */
private fun isOnABridgeOfOurs(address: String): Boolean = runCatching {
    val wanted = InetAddress.getByName(address).address
    NetworkInterface.networkInterfaces().flatMap { it.interfaceAddresses.stream() }.anyMatch { own ->
        val bytes = own.address.address
        bytes.size == wanted.size && (0 until own.networkPrefixLength).all { bit ->
            (bytes[bit / 8].toInt() xor wanted[bit / 8].toInt()) and (0x80 shr bit % 8) == 0
        }
    }
}.getOrDefault(false)

private const val PODMAN = "podman"
private const val DESKTOP = "Docker Desktop"
private const val PATIENCE_SECONDS = 30L
