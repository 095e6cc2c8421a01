package threadgauge.checks

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A copy of the little of this project that a stack is made of, in a folder of its own, with some [modules] more. Used
 * by one thread.
 */
internal class NewProject(private val modules: List<String>) : AutoCloseable {
    val root: Path = Files.createTempDirectory("new stack ").toRealPath()

    init {
        for (part in PARTS) {
            file("$part/pom.xml", projectRoot.resolve("$part/pom.xml").readText())
            projectRoot.resolve("$part/src/main").toFile().copyRecursively(root.resolve("$part/src/main").toFile())
        }
        val modules = (PARTS + modules).joinToString("") { "<module>$it</module>" }
        val pom = projectRoot.resolve("pom.xml").readText()
        file("pom.xml", pom.replace(MODULES, "<modules>$modules</modules>"))
    }

    fun file(path: String, text: String): Path =
        root.resolve(path).also { it.parent.createDirectories() }.apply { writeText(text) }

    /** Builds the modules and runs their tests, each whether another failed or not. */
    fun verify(): Ran {
        val log = root.resolve("maven.log")
        val repository = System.getProperty("localRepository")?.let { listOf("-Dmaven.repo.local=$it") }.orEmpty()
        val which = listOf("-fae", "-pl", modules.joinToString(","), "-am")
        val command = listOf("mvn", "-B", "-ntp") + which + repository + "verify"
        val builder =
            ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).redirectOutput(log.toFile())
        builder.environment()["JAVA_HOME"] = System.getProperty("java.home")
        val process = builder.start()
        try {
            check(process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) { "Maven does not end: ${log.readText()}" }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly)
            process.destroyForcibly().waitFor()
        }
        return Ran(process.exitValue(), log.readText().lines(), "")
    }

    override fun close() {
        root.toFile().deleteRecursively()
    }

    private companion object {
        /** What every stack is made of, and what asks it for the contract. */
        val PARTS = listOf("contract", "contract-testkit", "servers/shared/work")

        val MODULES = Regex("<modules>.*?</modules>", RegexOption.DOT_MATCHES_ALL)

        /** Far more than it takes where libraries have yet to be loaded. */
        const val MAX_MINUTES = 10L
    }
}
