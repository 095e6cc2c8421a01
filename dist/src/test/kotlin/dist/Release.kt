package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The files of a release of this tree, made once for all tests that use them, and deleted when these have ended. */
internal object Release {
    val tree = Tree(projectRoot)
    val folder: Path = Files.createTempDirectory("threadgauge-dist-")
    private val out: Path = folder.resolve("out").createDirectories()
    private val tour = listOf("bench") + listOf("spring-mvc", "spring-webflux", "ktor").map { "servers/stacks/$it" }

    /** Folder with all files. The first to ask waits until they are made. */
    val files: Path by lazy {
        val begun = System.nanoTime()
        dist(out).make()
        println("made in ${(System.nanoTime() - begun) / 1_000_000} ms:")
        for (file in out.listDirectoryEntries()) println("  ${file.name} ${Files.size(file)}")
        out
    }

    init {
        Runtime.getRuntime().addShutdownHook(Thread { folder.toFile().deleteRecursively() })
    }

    /** What is made into [out] when it is asked to. */
    fun dist(out: Path, modules: List<String> = tour, hasImage: Boolean = true) =
        Dist(DistOrder(tree, out, modules, all = false, emptyMap(), "file://${this.out}/", hasImage)) {}

    /** The only file whose name ends with [end]. */
    fun file(end: String): Path = files.listDirectoryEntries("threadgauge-${tree.version}*$end").single()
}
