package threadgauge.checks

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.COPY_ATTRIBUTES
import java.nio.file.attribute.FileTime
import java.time.Instant
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A folder that looks like the project to the launcher, with Javas and a Maven that only say that they were started.
 * Its path has spaces in it. The PATH holds the few tools that the launcher may use, and nothing else.
 */
internal class FakeProject : AutoCloseable {
    val base: Path = Files.createTempDirectory("launcher test ").toRealPath()
    val root = base.resolve("the project").createDirectories()
    val launcher: Path = root.resolve("threadgauge")
    private val jvms = base.resolve("jvm folder").createDirectories()
    private val bin = base.resolve("bin").createDirectories()

    init {
        Files.copy(projectRoot.resolve("threadgauge"), launcher, COPY_ATTRIBUTES)
        for (tool in TOOLS) bin.resolve(tool).createSymbolicLinkPointingTo(toolOnThisMachine(tool))
        for (module in listOf("bench", "servers/stacks/ktor")) {
            file("$module/pom.xml", "<project/>")
            file("$module/src/main/kotlin/Main.kt", "fun main() = Unit")
            file("$module/target/threadgauge.jar", "")
        }
        file("pom.xml", "<project/>")
        age(root)
        file("target/threadgauge.built", "")
    }

    fun file(path: String, text: String): Path =
        root.resolve(path).also { it.parent.createDirectories() }.apply { writeText(text) }

    /** Makes everything below [folder] an hour old. */
    private fun age(folder: Path) {
        val hourAgo = FileTime.from(Instant.now().minusSeconds(3600))
        Files.walk(folder).use { all -> all.forEach { Files.setLastModifiedTime(it, hourAgo) } }
    }

    /** A JDK whose java says where it is and what it was given, one argument a line. */
    fun jdk(version: String, name: String = "jdk-$version", compiler: Boolean = true): Path {
        val home = jvms.resolve(name)
        home.resolve("bin").createDirectories()
        home.resolve("release").writeText("IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"$version\"\nOS_NAME=\"Linux\"\n")
        script(home.resolve("bin/java"), "echo \"java of $version in ${'$'}PWD\"; printf '%s\\n' \"${'$'}@\"")
        if (compiler) script(home.resolve("bin/javac"), "true")
        return home
    }

    /** Makes the java of [home] the one on the PATH. */
    fun putOnPath(home: Path) {
        bin.resolve("java").createSymbolicLinkPointingTo(home.resolve("bin/java"))
    }

    /** A Maven that notes its Java and its arguments in `mvn.log`, and then does [work]. */
    fun maven(work: String = "true") =
        script(bin.resolve("mvn"), "echo \"${'$'}JAVA_HOME: ${'$'}*\" >>'${base.resolve("mvn.log")}'\n$work")

    val mavenLog get() =
        base.resolve("mvn.log").let { if (Files.exists(it)) it.readText().trim().lines() else emptyList() }

    private fun script(file: Path, text: String) {
        file.writeText("#!/bin/sh\n$text\n")
        file.toFile().setExecutable(true)
    }

    fun run(vararg arguments: String, javaHome: Path? = null, from: Path = base, command: Path = launcher): Ran {
        val out = Files.createTempFile(base, "out", "")
        val builder = ProcessBuilder(listOf(command.toString()) + arguments).directory(from.toFile())
        builder.environment().run {
            clear()
            put("PATH", bin.toString())
            put("THREADGAUGE_WATCH_SECONDS", "1")
            put("THREADGAUGE_JVM_FOLDERS", "${base.resolve("no folder")}:$jvms")
            if (javaHome != null) put("JAVA_HOME", javaHome.toString())
        }
        val errors = Files.createTempFile(base, "errors", "")
        val process = builder.redirectOutput(out.toFile()).redirectError(errors.toFile()).start()
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor()
            error("the launcher does not end: ${errors.readText()}")
        }
        return Ran(process.exitValue(), out.readText().trim().lines(), errors.readText())
    }

    override fun close() {
        base.toFile().deleteRecursively()
    }

    private companion object {
        val TOOLS =
            "sh dirname readlink find head tail date mv rm rmdir mkdir ln ls sleep cat sed tr mktemp grep".split(' ')

        fun toolOnThisMachine(name: String): Path = System.getenv("PATH").split(':')
            .map { Path.of(it, name) }.first(Files::isExecutable).toRealPath()
    }
}

/** What came of a start of the launcher. */
internal class Ran(val exitCode: Int, val output: List<String>, val errors: String)
