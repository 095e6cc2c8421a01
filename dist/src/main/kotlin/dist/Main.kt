package threadgauge.dist

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.main
import com.github.ajalt.clikt.parameters.options.associate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Path
import java.util.TimeZone
import kotlin.io.path.fileSize

/** `./threadgauge dist`, which the launcher of a source tree starts when the tree is built. */
internal class DistCommand : CliktCommand(name = "threadgauge dist") {
    private val root = Path.of(System.getProperty("threadgauge.home") ?: "").toAbsolutePath().normalize()
    private val out by option(help = "Folder for the files (default: target/dist)").path()
    private val all by option(help = "Also make an archive with all stacks; builds them first").flag()
    private val jmods by option(
        metavar = "PLATFORM=FOLDER",
        help = "Also make an archive for PLATFORM (${Platform.names.joinToString()}), of the modules of its JDK",
    ).associate()
    private val url by option(help = "Address of the folder in which the files will be found, with {version} in it")
        .default("https://github.com/OWNER/threadgauge/releases/download/v{version}/")
    private val noImage by option("--no-image", help = "Make no container image").flag()
    private val imageRoot by option(
        "--image-root", help = "Root of the image (default: a shell and libraries of this machine)",
    ).path()

    override fun help(context: Context) =
        "Makes what a release offers for download: archives that need no Java, a zip, a container image, recipes for " +
            "Homebrew and JBang, and checksums. The same sources give the same bytes."

    override fun run() = try {
        val tree = Tree(root)
        val order = DistOrder(
            tree, (out ?: root.resolve("target/dist")).toAbsolutePath().normalize(), tour(), all,
            jmods.map { (platform, folder) -> platformOf(platform) to Path.of(folder) }.toMap(),
            url.replace("{version}", tree.version).removeSuffix("/") + "/", !noImage, imageRoot,
        )
        val made = Dist(order) { echo("threadgauge: $it", err = true) }.make()
        for (file in made) {
            val size = "%.1f MB".format(file.fileSize() / 1e6)
            echo("%s  %9s  %s".format(sha256(file), size, order.out.relativize(file)))
        }
        echo("in ${order.out}")
    } catch (failed: DistFailed) {
        echo("threadgauge: ${failed.problem}.\n  ${failed.remedy}", err = true)
        throw ProgramResult(failed.exitCode)
    }

    private fun tour() = System.getProperty("threadgauge.built").orEmpty().split(' ').filter { it.isNotEmpty() }

    private fun platformOf(name: String): Platform = if (name in Platform.names) Platform(name) else
        throw DistFailed("there is no platform $name", "It is one of ${Platform.names.joinToString()}.", USAGE)
}

fun main(arguments: Array<String>) {
    // Times in a zip are in the time zone of whoever writes them.
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"))
    DistCommand().main(arguments)
}
