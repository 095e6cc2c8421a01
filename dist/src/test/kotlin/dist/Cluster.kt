package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import kotlin.io.path.isExecutable
import kotlin.io.path.readText

/** A real Kubernetes of one node, brought up by `deploy/cluster/up`. Closing it takes it away. */
internal class Cluster private constructor(private val folder: Path) : AutoCloseable {
    private val scripts = projectRoot.resolve("deploy/cluster")

    /** Asks the cluster, with [input] to read. Fails with what kubectl printed. */
    fun kubectl(vararg arguments: String, input: String? = null): String =
        done(listOf("$scripts/kubectl") + arguments, input).also { check(it.exitCode == 0) { it.output } }.output

    /** [command] as it would run on the node, with kubectl on its PATH and the rights of an administrator. */
    fun onNode(vararg command: String): ProcessBuilder {
        val path = "PATH=${home.resolve("bin")}:${System.getenv("PATH")}"
        val settings = "KUBECONFIG=${home.resolve("run/settings/admin.conf")}"
        val words = listOf("nsenter", "--net=/run/netns/threadgauge-cluster", "env", path, settings)
        return ProcessBuilder(words + command).directory(folder.toFile())
    }

    /** What kubectl is told of this cluster, with the rights of an administrator. */
    val settings: String get() = home.resolve("run/settings/admin.conf").readText()

    override fun close() {
        done(listOf("$scripts/down"), null)
    }

    private fun done(command: List<String>, input: String?): Ran {
        val begun = System.nanoTime()
        val process = ProcessBuilder(command).redirectErrorStream(true).start()
        process.outputWriter().use { if (input != null) it.write(input) }
        val output = process.inputReader().readText()
        check(process.waitFor(MINUTES, TimeUnit.MINUTES)) { "$command goes on" }
        return Ran(process.exitValue(), output, (System.nanoTime() - begun) / 1_000_000)
    }

    companion object {
        private const val MINUTES = 5L
        private val caches = System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache"
        private val home: Path = Path.of(System.getenv("THREADGAUGE_CLUSTER") ?: "$caches/threadgauge-cluster")

        /** Why there can be no cluster here; null where there can. */
        fun missing(): String? = when {
            !runs("sh", "-c", "test \$(id -u) = 0") -> "only root can bring one up"
            !home.resolve("bin/coredns").isExecutable() -> "its programs are not built: deploy/cluster/build"
            listOf("containerd", "runc", "openssl", "ip", "nsenter").any { !runs("sh", "-c", "command -v $it") } ->
                "containerd, runc, openssl or iproute2 is not installed"
            home.resolve("run/pid").exists() -> "one is up already: deploy/cluster/down"
            else -> null
        }

        /** Brings one up, with [image] for its pods. Files of commands are in [folder]. */
        fun up(image: Path, folder: Path): Cluster {
            val log = Files.createTempFile(folder, "up", ".log")
            val up = ProcessBuilder("${projectRoot.resolve("deploy/cluster/up")}", "$image").redirectErrorStream(true)
                .redirectOutput(log.toFile()).start()
            check(up.waitFor(MINUTES, TimeUnit.MINUTES) && up.exitValue() == 0) { log.readText() }
            return Cluster(folder)
        }
    }
}
