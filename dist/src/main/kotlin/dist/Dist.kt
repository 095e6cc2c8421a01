package threadgauge.dist

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteRecursively
import kotlin.io.path.fileSize
import kotlin.io.path.name

/** What is asked of a [Dist]. */
internal class DistOrder(
    val tree: Tree,
    val out: Path,
    /** Modules that every archive has ready built. */
    val tour: List<String>,
    /** Whether an archive with all modules is made, too. */
    val all: Boolean,
    /** Folders with modules of JDKs for other platforms. */
    val jmods: Map<Platform, Path>,
    /** Beginning of the address of each file, once it is published. */
    val address: String,
    val hasImage: Boolean = true,
    /** Root of the image; null for one made of this machine's programs and libraries. */
    val imageRoot: Path? = null,
)

/**
 * Makes all files of a release, of a tree that is built. Each lies in the folder under its name only when it is
 * complete. [tell] gets a line for each step.
 */
@OptIn(ExperimentalPathApi::class)
internal class Dist(private val order: DistOrder, private val tell: (String) -> Unit) {
    private val tree = order.tree
    private val name = "threadgauge-${tree.version}"
    private val made = ArrayList<Path>()
    private val launcher = TextEntry("threadgauge", archiveLauncher(tree.launcher, resource("launcher.sh")), true)

    /** All files, the checksums last. Throws [DistFailed]. */
    fun make(): List<Path> {
        val program = listOf(launcher) + tree.common() + order.tour.flatMap(tree::built)
        val work = prepare(program)
        try {
            make(program, work)
        } catch (failed: IOException) {
            throw DistFailed("${order.out}: ${failed.message}", NO_ROOM, NOT_WRITABLE)
        } finally {
            work.deleteRecursively()
        }
        return made
    }

    private fun make(program: List<Entry>, work: Path) {
        val zip = file("$name.zip") { writeZip(it, program.below(name), tree.stamp) }
        val archives = LinkedHashMap<Platform, Path>()
        val here = Platform.here
        if (here == null) {
            tell("no archive with a JDK is made on this platform; name jmods of others with --jmods")
        } else {
            tell("linking a JDK for ${here.name} …")
            val runtime = work.resolve("runtime").also(::linkRuntime)
            val lacking = modulesMissing(program.fitFor(here).jars(), runtime)
            if (lacking.isNotEmpty()) {
                throw DistFailed("jars need ${lacking.joinToString()}, which is not in the JDK", "See Runtime.kt.")
            }
            tell("archiving classes …")
            val classes = ClassArchive(runtime, tree, work.resolve("classes").createDirectories())
                .make(program.fitFor(here).filter { it.path.startsWith("bench/") }, tree.stamp)
            val packed = program.fitFor(here) + runtimeEntries(runtime) +
                FileEntry("runtime/lib/${ClassArchive.FILE}", classes)
            archives[here] = tarGz("$name-${here.name}", packed)
            if (order.all) {
                val everything = (packed + tree.allRunnable.flatMap(tree::built).fitFor(here)).distinctBy { it.path }
                tarGz("$name-all-${here.name}", everything, folder = name)
            }
            if (order.hasImage) image(here, packed, runtime, work)
        }
        for ((platform, jmods) in order.jmods) {
            tell("linking a JDK for ${platform.name} …")
            val runtime = work.resolve("runtime-${platform.name}")
            linkRuntime(runtime, platform, jmods)
            archives[platform] = tarGz("$name-${platform.name}", program.fitFor(platform) + runtimeEntries(runtime))
        }
        recipes(zip, archives)
    }

    private fun image(platform: Platform, packed: List<Entry>, runtime: Path, work: Path) {
        if (!platform.name.startsWith("linux")) {
            tell("no image is made: it holds programs for Linux")
            return
        }
        val root = order.imageRoot?.let(::givenRoot) ?: copiedRoot(runtime)
        val layers = listOf("a shell and libraries" to root, "threadgauge" to packed.below("opt/threadgauge"))
        file("$name-image-${platform.name}.tar") {
            Image(platform, tree.version, tree.stamp).write(it, layers, work.resolve("image").createDirectories())
        }
    }

    private fun recipes(zip: Path, archives: Map<Platform, Path>) {
        val recipes = Recipes(tree.version, order.address)
        text("Formula/threadgauge.rb", recipes.formula(zip, archives))
        text("jbang-catalog.json", recipes.jbangCatalog())
        text(Recipes.JBANG_SCRIPT, recipes.jbangScript(resource(Recipes.JBANG_SCRIPT), zip))
        text("SHA256SUMS", checksumFile(made.filter { it.parent == order.out }))
    }

    private fun tarGz(file: String, entries: List<Entry>, folder: String = name): Path =
        file("$file.tar.gz") { writeTarGz(it, entries.below(folder), tree.stamp) }

    private fun text(name: String, text: String) = file(name) { Files.writeString(it, text) }

    /** [write] gets a part beside the file, which then takes its place. */
    private fun file(name: String, write: (Path) -> Unit): Path {
        val file = order.out.resolve(name)
        file.parent.createDirectories()
        val part = file.resolveSibling(".${file.name}.part")
        try {
            tell("writing $name …")
            write(part)
            Files.move(part, file, ATOMIC_MOVE, REPLACE_EXISTING)
        } finally {
            Files.deleteIfExists(part)
        }
        made.add(file)
        return file
    }

    /** An empty folder for parts, once the folder can be written to and seems to have room. */
    private fun prepare(program: List<Entry>): Path {
        val work = order.out.resolve(".work")
        try {
            order.out.createDirectories()
            // Whoever was killed left it behind.
            work.deleteRecursively()
            work.createDirectories()
        } catch (failed: IOException) {
            throw DistFailed("cannot write to ${order.out}: $failed", "Name another folder with --out.", NOT_WRITABLE)
        }
        val bytes = program.filterIsInstance<FileEntry>().sumOf { it.file.fileSize() }
        val wanted = COPIES * bytes + RUNTIME_BYTES * (2 + order.jmods.size) * (if (order.all) 2 else 1)
        val room = Files.getFileStore(order.out).usableSpace
        if (room < wanted) {
            work.deleteRecursively()
            val problem = "${order.out} has ${room / MB} MB left, and ${wanted / MB} MB are needed"
            throw DistFailed(problem, NO_ROOM, NOT_WRITABLE)
        }
        return work
    }

    private fun resource(name: String): String =
        checkNotNull(javaClass.getResource("/dist/$name")) { "$name is not in the jar" }.readText()

    private companion object {
        /** Zip, archive and image. */
        const val COPIES = 3L
        const val RUNTIME_BYTES = 200_000_000L
        const val MB = 1_000_000
        const val NO_ROOM = "Make room there, or name another folder with --out."
    }
}
