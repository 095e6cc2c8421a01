package threadgauge.cli

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile
import kotlin.io.path.writeText

/**
 * The image [IMAGE] of a service with a small Java, made for [engine], a program such as `docker`, whose containers
 * need [options] here: without a registry, from this machine's files alone. The service is `Contained.java`.
 */
internal class ImageOfTests(val engine: String, val options: List<String> = emptyList()) {
    /** Returns why the engine cannot start it; null if it can. */
    fun make(): String? {
        runCatching { call(engine, "info") }.onFailure { return "$it" }
        val folder = Files.createTempDirectory("threadgauge-image-")
        try {
            make(folder)
        } finally {
            folder.toFile().deleteRecursively()
        }
        val tried = listOf(engine, "run", "--rm", "--entrypoint=/java/bin/java") + options + listOf(IMAGE, "--version")
        return runCatching { call(*tried.toTypedArray()) }.exceptionOrNull()?.message
    }

    private fun make(folder: Path) {
        val root = folder.resolve("root").createDirectories()
        for (name in listOf("app", "tmp", "etc", "proc", "sys", "dev")) root.resolve(name).createDirectories()
        root.resolve("etc/passwd").writeText("root:x:0:0::/:/bin/sh\n")
        val source = folder.resolve("Contained.java")
        Files.write(source, checkNotNull(javaClass.getResourceAsStream("/container/Contained.java")).readAllBytes())
        call(java("javac"), "-d", "${root.resolve("app")}", "$source")
        call(
            java("jlink"), "--add-modules", "java.base,jdk.httpserver", "--strip-debug", "--output",
            "${root.resolve("java")}",
        )
        librariesOf(root.resolve("java")).forEach { library ->
            val copy = root.resolve("$library".removePrefix("/"))
            copy.parent.createDirectories()
            if (!copy.exists()) Files.copy(library.toRealPath(), copy)
        }
        val archive = folder.resolve("root.tar")
        call("tar", "-C", "$root", "-cf", "$archive", ".")
        val entry = "ENTRYPOINT [\"/java/bin/java\", \"-XX:TieredStopAtLevel=1\", \"-cp\", \"/app\", \"Contained\"]"
        call(engine, "import", "--change", entry, "$archive", IMAGE)
    }

    fun remove() {
        runCatching { call(engine, "image", "rm", "--force", IMAGE) }
    }

    /** Libraries of the system that the files of [java] are linked with. */
    private fun librariesOf(java: Path): Set<Path> = Files.walk(java).use { files ->
        files.filter { it.isRegularFile() && ("$it".endsWith(".so") || "$it".endsWith("bin/java")) }.toList()
    }.flatMap { file -> LIBRARY.findAll(call("ldd", "$file")).map { Path.of(it.value) } }
        .filterNot { it.startsWith(java) }.toSet()

    companion object {
        const val IMAGE = "threadgauge-test-service:1"
        private val LIBRARY = Regex("/\\S+")

        fun call(vararg command: String): String {
            val process = ProcessBuilder(*command).redirectErrorStream(true).start()
            val output = process.inputReader().readText()
            check(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) { "${command.first()} does not end" }
            check(process.exitValue() == 0) { "${command.joinToString(" ")}: $output" }
            return output
        }

        private fun java(program: String) = Path.of(System.getProperty("java.home"), "bin", program).toString()
    }
}
