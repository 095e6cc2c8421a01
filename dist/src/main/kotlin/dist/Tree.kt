package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import java.util.jar.Attributes.Name.CLASS_PATH
import java.util.jar.Attributes.Name.MAIN_CLASS
import java.util.jar.JarFile
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** A built tree of the project, and what of it goes into archives. Paths in archives are those of the tree. */
internal class Tree(val root: Path) {
    private val pom = root.resolve("pom.xml").readText()

    val version: String = find("<artifactId>threadgauge</artifactId>\\s*<version>([^<]+)</version>")

    /** The time that everything made from this tree bears, also its jars. */
    val stamp: Instant = Instant.parse(find("<project.build.outputTimestamp>([^<]+)</project.build.outputTimestamp>"))

    /** The source launcher, of which archives have a part. */
    val launcher: String get() = root.resolve("threadgauge").readText()

    /** Folders of all modules that hold something to start, from the root. */
    val allRunnable: List<String> get() = listOf("servers", "tickets").flatMap { home ->
        Files.walk(root.resolve(home), MODULE_DEPTH).use { folders ->
            folders.filter { it.resolve("pom.xml").isRegularFile() }.toList()
                .map { root.relativize(it).joinToString("/") }
        }
    }.filter { it !in SHARED && (jarsOf(it).isNotEmpty() || appsOf(it).isNotEmpty()) }.sorted()

    /** What every archive has: the texts, the experiments, and what is known of all stacks. */
    fun common(): List<Entry> = TEXTS.map { entry(root.resolve(it)) } +
        filesBelow("experiments") +
        listOf("servers", "tickets").flatMap { home ->
            filesBelow(home, depth = MODULE_DEPTH + 1) { it.name == STACKS }
        }

    /** What it takes to start the jars of [module]. Throws [DistFailed] if the module is not built. */
    fun built(module: String): List<Entry> {
        val jars = jarsOf(module)
        val apps = appsOf(module)
        if (jars.isEmpty() && apps.isEmpty()) {
            throw DistFailed("$module is not built", "Build it: ./threadgauge build $module")
        }
        val files = jars.flatMap { listOf(it) + broughtAlong(it) } +
            apps.flatMap { app -> Files.walk(app).use { all -> all.filter { it.isRegularFile() }.toList() } }
        return files.distinct().map(::entry)
    }

    /** Jars with a main class. */
    private fun jarsOf(module: String): List<Path> = targetOf(module, "*.jar").filter { file ->
        JarFile(file.toFile()).use { it.manifest?.mainAttributes?.getValue(MAIN_CLASS) != null }
    }

    /** Folders that Quarkus makes: a jar that needs its neighbours. */
    private fun appsOf(module: String): List<Path> = targetOf(module, "*-app").filter { it.isDirectory() }

    private fun targetOf(module: String, glob: String): List<Path> =
        root.resolve("$module/target").takeIf { it.isDirectory() }?.listDirectoryEntries(glob)?.sorted().orEmpty()

    /** The jars in the `Class-Path` of the manifest of [jar]. */
    private fun broughtAlong(jar: Path): List<Path> =
        JarFile(jar.toFile()).use { it.manifest.mainAttributes.getValue(CLASS_PATH) }.orEmpty().split(' ')
            .filter { it.isNotBlank() }.map { jar.resolveSibling(it).normalize() }
            .onEach {
                if (!it.isRegularFile()) throw DistFailed("${jar.name} needs $it, which is not there", "Build it anew.")
            }

    private fun filesBelow(folder: String, depth: Int = MODULE_DEPTH, isWanted: (Path) -> Boolean = { true }) =
        Files.walk(root.resolve(folder), depth).use { all ->
            all.filter { it.isRegularFile() && isWanted(it) }.toList().map(::entry)
        }

    private fun entry(file: Path) = FileEntry(root.relativize(file).joinToString("/"), file)

    private fun find(pattern: String): String =
        checkNotNull(Regex(pattern).find(pom)) { "$pattern is not in the pom" }.groupValues[1]

    private companion object {
        /** `servers/stacks/ktor`. */
        const val MODULE_DEPTH = 3
        const val STACKS = "stacks.yaml"
        val TEXTS = listOf("LICENSE", "README.md", "CHANGELOG.md")

        /** Of no use alone; what it starts is for tests. */
        val SHARED = setOf("tickets/faults")
    }
}

/** The jars among these entries, each name once. */
internal fun List<Entry>.jars(): List<Path> =
    filterIsInstance<FileEntry>().map { it.file }.filter { it.extension == "jar" }.distinctBy { it.name }

/** Without libraries that serve other platforms alone. */
internal fun List<Entry>.fitFor(platform: Platform): List<Entry> =
    filter { platform.takes(it.path.substringAfterLast('/')) }
