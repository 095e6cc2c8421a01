package threadgauge.tickets.faults.cluster

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.readText

/**
 * Asks a cluster by [program], which has the rights of an administrator, about the [namespace] of a sale. For any
 * thread; each call starts a process and waits for it.
 */
internal class Kubectl(val namespace: String, private val program: String = "kubectl") {
    /** What kubectl answered to [arguments] and [input]. Throws [KubectlFailed] if it refused. */
    fun done(vararg arguments: String, input: String = ""): String {
        val process = ProcessBuilder(listOf(program, "--namespace", namespace) + arguments)
            .redirectErrorStream(true).start()
        process.outputWriter().use { it.write(input) }
        val output = process.inputReader().readText()
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly()
            throw KubectlFailed("kubectl ${arguments.joinToString(" ")} does not end")
        }
        if (process.exitValue() != 0) throw KubectlFailed("kubectl ${arguments.joinToString(" ")}: $output")
        return output
    }

    /** Whether kubectl does [arguments] without an error. */
    fun does(vararg arguments: String, input: String = ""): Boolean = try {
        done(*arguments, input = input)
        true
    } catch (_: KubectlFailed) {
        false
    }

    /** The pods of [app] that are not being deleted. */
    fun pods(app: String): List<Pod> = done("get", "pods", "--selector=app=$app", "--output=jsonpath=$PODS").lines()
        .map { it.split(' ') }.filter { it.size == FIELDS && it[DELETED].isEmpty() }
        .map { (name, uid, ready, address) -> Pod(name, uid, address, isReady = ready == "True") }

    /** The value at [path] of the object [what], such as `.spec.replicas` of `deployment/tickets`; may be empty. */
    fun value(what: String, path: String): String = done("get", what, "--output=jsonpath={$path}").trim()

    private companion object {
        const val PATIENCE_MINUTES = 10L
        const val PODS = "{range .items[*]}{.metadata.name} {.metadata.uid} " +
            "{.status.conditions[?(@.type==\"Ready\")].status} {.status.podIP} " +
            "{.metadata.deletionTimestamp}{\"\\n\"}{end}"
        const val DELETED = 4
        const val FIELDS = 5
    }
}

/** One pod of a sale. */
internal class Pod(val name: String, private val uid: String, val address: String, val isReady: Boolean) {
    /**
     * Kills its processes with SIGKILL, which no kubectl does. They must run on this machine, below the same `/proc`.
     * Returns how many there were.
     */
    fun kill(): Int {
        val own = ProcessHandle.allProcesses().filter { isOfThis(it) && !isPause(it) }.toList()
        return own.count { it.destroyForcibly() }
    }

    /** The kernel's name for the control group of a pod has its identity. */
    private fun isOfThis(process: ProcessHandle) =
        runCatching { uid in Path.of("/proc/${process.pid()}/cgroup").readText() }.getOrDefault(false)

    /** It only holds the network of its pod. */
    private fun isPause(process: ProcessHandle) = process.info().command().orElse("").endsWith("/pause")
}

/** kubectl refused, and printed [message]. */
internal class KubectlFailed(message: String) : Exception(message)
