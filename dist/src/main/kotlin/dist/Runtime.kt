package threadgauge.dist

import java.io.PrintWriter
import java.io.StringWriter
import java.lang.module.FindException
import java.lang.module.ModuleDescriptor
import java.lang.module.ModuleDescriptor.Requires
import java.lang.module.ModuleFinder
import java.nio.file.Files
import java.nio.file.Path
import java.util.spi.ToolProvider
import kotlin.io.path.isDirectory
import kotlin.io.path.isExecutable
import kotlin.io.path.isRegularFile
import kotlin.io.path.isSymbolicLink
import kotlin.io.path.readSymbolicLink

/**
 * Modules of the JDK that comes along. All of Java SE, because the services that people measure may use any of it; and
 * what the program, the servers and their profiles use beyond that.
 */
internal val RUNTIME_MODULES = listOf(
    "java.se",
    // The program attaches to the servers, starts their agent for JMX, and reads their flight recordings.
    "jdk.attach", "jdk.management", "jdk.management.agent", "jdk.jfr", "jdk.management.jfr", "jdk.jcmd",
    // `serve`, and the doctor's own server.
    "jdk.httpserver",
    // TLS with elliptic curves on older names of the provider, and names by DNS.
    "jdk.crypto.ec", "jdk.naming.dns",
    // Netty, coroutines and class loaders of frameworks.
    "jdk.unsupported", "jdk.net", "jdk.zipfs", "jdk.charsets", "jdk.localedata",
)

/** A platform that archives are made for, such as `linux-x64`. */
internal data class Platform(val name: String) {
    init {
        require(name in JMOD_NAMES) { name }
    }

    /** What `jmod describe` calls it. */
    val jmodName: String get() = JMOD_NAMES.getValue(name)

    /** Name of the processor in names of images. */
    val imageArchitecture: String get() = if (name.endsWith("x64")) "amd64" else "arm64"

    /** Whether a library whose file is called [name] serves this platform; libraries of no platform do. */
    fun takes(name: String): Boolean {
        val classifier = CLASSIFIER.find(name)?.value ?: return true
        return classifier in CLASSIFIERS.getValue(this.name)
    }

    companion object {
        private val JMOD_NAMES = mapOf(
            "linux-x64" to "linux-amd64", "linux-aarch64" to "linux-aarch64", "macos-x64" to "macos-amd64",
            "macos-aarch64" to "macos-aarch64",
        )
        private val CLASSIFIERS = mapOf(
            "linux-x64" to setOf("-linux-x86_64"), "linux-aarch64" to setOf("-linux-aarch_64"),
            "macos-x64" to setOf("-osx-x86_64"), "macos-aarch64" to setOf("-osx-aarch_64"),
        )
        private val CLASSIFIER = Regex("-(linux|osx|windows)-(x86_64|aarch_64)(?=\\.jar$)")

        val names: Set<String> get() = JMOD_NAMES.keys

        /** That of this machine; null for one that no archive is made for. */
        val here: Platform? get() {
            val system = System.getProperty("os.name").let {
                if (it.startsWith("Mac")) "macos" else it.lowercase()
            }
            val processor = System.getProperty("os.arch").let { if (it == "amd64" || it == "x86_64") "x64" else it }
            return "$system-$processor".takeIf { it in JMOD_NAMES }?.let(::Platform)
        }
    }
}

/** Writes a JDK of [RUNTIME_MODULES] for this machine to [folder], which must not exist. */
internal fun linkRuntime(folder: Path) {
    val home = Path.of(System.getProperty("java.home"))
    if (!home.resolve("jmods").isDirectory() && LINKS_ITSELF !in jlink(listOf("--help")).output) {
        throw DistFailed(
            "the JDK in $home has no folder jmods and cannot be linked without it",
            "Install the package of its jmods (JEP 493), or use a JDK whose jlink --help reports \"$LINKS_ITSELF\".",
        )
    }
    // Times of starts are figures here, so classes come from an archive.
    link(jlinkArguments(folder) + "--generate-cds-archive")
}

/** As [linkRuntime], for [platform], whose JDK's modules lie in the folder [jmods]. */
internal fun linkRuntime(folder: Path, platform: Platform, jmods: Path) {
    val base = jmods.resolve("java.base.jmod")
    if (!base.isRegularFile()) {
        throw DistFailed(
            "there is no java.base.jmod in $jmods", "Name the folder jmods of a JDK for ${platform.name}.", USAGE,
        )
    }
    val described = run("jmod", listOf("describe", base.toString())).output.lines()
    val of = described.firstOrNull { it.startsWith("platform ") }?.removePrefix("platform ")
    if (of != platform.jmodName) {
        throw DistFailed(
            "the modules in $jmods are for ${of ?: "no known platform"}, not for ${platform.jmodName}",
            "Name the folder jmods of a JDK for ${platform.name}.", USAGE,
        )
    }
    link(listOf("--module-path", jmods.toString()) + jlinkArguments(folder))
}

/** Every file of the JDK in [folder], below `runtime/`. */
internal fun runtimeEntries(folder: Path): List<Entry> = Files.walk(folder).use { all ->
    all.filter { it.isSymbolicLink() || it.isRegularFile() }.toList().map { file ->
        val path = "runtime/${folder.relativize(file).joinToString("/")}"
        if (file.isSymbolicLink()) LinkEntry(path, file.readSymbolicLink().joinToString("/")) else
            FileEntry(path, file, file.isExecutable())
    }
}

/**
 * Modules of a JDK that [jars] need and the one in [runtime] lacks: what their own descriptors require and, of jars
 * without one, what jdeps finds in their classes.
 */
internal fun modulesMissing(jars: List<Path>, runtime: Path): Set<String> {
    val descriptors = jars.associateWith(::descriptorOf)
    val required = descriptors.values.filterNotNull().flatMap { it.requires() }
        .filter { Requires.Modifier.STATIC !in it.modifiers() }.map { it.name() }.filter(::isOfJdk)
    val words = listOf("--multi-release", "25", "--ignore-missing-deps", "--print-module-deps", "-q")
    val deps = run("jdeps", words + descriptors.filterValues { it == null }.keys.map { it.toString() })
    if (deps.exitCode != 0) throw DistFailed("jdeps failed: ${deps.output.trim()}", "Build the tree anew.")
    val found = deps.output.trim().lines().last().split(',').map { it.trim() }.filter(::isOfJdk)
    val release = runtime.resolve("release").toFile().readLines().first { it.startsWith("MODULES=") }
    return (required + found).toSet() - release.substringAfter('"').substringBefore('"').split(' ').toSet()
}

/** Null for a jar without one of its own. */
private fun descriptorOf(jar: Path): ModuleDescriptor? = try {
    ModuleFinder.of(jar).findAll().firstOrNull()?.descriptor()?.takeUnless { it.isAutomatic }
} catch (_: FindException) {
    null
}

private fun isOfJdk(module: String) = module.startsWith("java.") || module.startsWith("jdk.")

/**
 * Libraries are left as they are: objcopy strips only those of its own platform, and not every machine has it, so the
 * same JDK would not give the same bytes. JDKs ship them stripped.
 */
private fun jlinkArguments(folder: Path) = listOf(
    "--add-modules", RUNTIME_MODULES.joinToString(","), "--output", folder.toString(),
    "--strip-java-debug-attributes", "--no-man-pages", "--no-header-files", "--include-locales=en,de,ko",
)

private fun link(arguments: List<String>) {
    val linked = jlink(arguments)
    if (linked.exitCode != 0) {
        throw DistFailed("jlink failed: ${linked.output.trim()}", "Use an unchanged JDK with room on its disk.")
    }
}

/**
 * Runs jlink in a process of its own, because the bytes that it writes depend on the identity hash codes of objects
 * (JDK-8392531), and these on what its JVM has done before. Where every object has the same, nothing depends on them.
 */
private fun jlink(arguments: List<String>): ToolRun {
    val program = Path.of(System.getProperty("java.home"), "bin", "jlink")
    if (!program.isExecutable()) {
        throw DistFailed("there is no program jlink in ${program.parent}", "Use a complete JDK, for it brings jlink.")
    }
    val process = ProcessBuilder(listOf(program.toString()) + SAME_HASH_CODES + arguments)
        .redirectErrorStream(true).start()
    return try {
        process.outputStream.close()
        val output = process.inputStream.bufferedReader().readText()
        ToolRun(process.waitFor(), output)
    } finally {
        process.destroyForcibly()
    }
}

private class ToolRun(val exitCode: Int, val output: String)

private fun run(tool: String, arguments: List<String>): ToolRun {
    val provider = ToolProvider.findFirst(tool).orElseThrow {
        DistFailed("this Java has no $tool", "Use a complete JDK, for it brings $tool.")
    }
    val output = StringWriter()
    val writer = PrintWriter(output, true)
    val code = provider.run(writer, writer, *arguments.toTypedArray())
    return ToolRun(code, output.toString())
}

private val SAME_HASH_CODES = listOf("-J-XX:+UnlockExperimentalVMOptions", "-J-XX:hashCode=2")

private const val LINKS_ITSELF = "Linking from run-time image enabled"
