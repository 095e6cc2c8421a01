package threadgauge.experiment.stack

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.openText
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeFile
import threadgauge.model.Service
import threadgauge.model.Stack

/**
 * All stacks that can be measured, in the order of the folders and files, with their [options] and the [services] that
 * some requests need.
 */
class StackCatalogue internal constructor(
    private val shipped: List<ShippedStack>,
    private val options: List<StackOption>,
    val services: List<Service>,
) {
    /** A catalogue of stacks without options. */
    constructor(
        stacks: List<Stack>, services: List<Service> = emptyList(),
    ) : this(stacks.map(::ShippedStack), emptyList(), services)

    /** Without options. */
    val stacks: List<Stack> = shipped.map { it.plain }

    /** Names, in the order of [stacks]. */
    val names: Set<String> = stacks.mapTo(LinkedHashSet()) { it.name }

    /** The stack of this [name], which may have options: `spring-mvc+gzip`. Null for an unknown stack or option. */
    operator fun get(name: String): Stack? = (find(name) as? Found.Stack)?.stack

    /** Names of the options of the stack of this name. */
    fun optionsOf(stack: String): Map<String, String> =
        options.filter { it.fits(stack) }.associate { it.name to it.title }

    internal fun find(name: String): Found {
        val words = name.split('+').map { it.trim() }
        val plain = shipped.firstOrNull { it.plain.name == words.first() }
            ?: return Found.Nothing("unknown stack ${quoted(words.first())}") { nearestRemedy(words.first(), names) }
        val wanted = words.drop(1)
        val known = options.filter { it.fits(plain.plain.name) }
        wanted.firstOrNull { word -> known.none { it.name == word } }?.let { word ->
            return Found.Nothing("${plain.plain.name} has no option ${quoted(word)}") {
                if (known.isEmpty()) "It has none." else nearestRemedy(word, known.map { it.name })
            }
        }
        // In the order of the file, so that the order of the options in a name does not matter.
        val chosen = known.filter { it.name in wanted }
        val apart = chosen.firstNotNullOfOrNull { one -> chosen.firstOrNull { !one.goesWith(it) }?.let { one to it } }
        if (apart != null) {
            val (one, other) = apart
            return Found.Nothing("${one.name} and ${other.name} do not go together") { "Choose one of the two." }
        }
        return Found.Stack(plain.with(chosen))
    }

    companion object {
        /**
         * Reads the `stacks.yaml` of every module below `servers/` and `tickets/` of [root]. Nothing needs to be built,
         * because jars are not opened. Throws [ExperimentMistakes] with the mistakes of all files, or if there is no
         * such file.
         */
        fun read(root: Path): StackCatalogue {
            val base = root.toAbsolutePath().normalize()
            val files = HOMES.flatMap { stackFiles(base.resolve(it)) }
            if (files.isEmpty()) {
                val remedy = "Is $base the root of Threadgauge?"
                throw wholeFile(base.resolve("servers"), "no folder here holds a stacks.yaml", remedy)
            }
            val mistakes = mutableListOf<ExperimentMistake>()
            val fileOf = HashMap<String, String>()
            val contents = files.mapNotNull { file ->
                try {
                    val context = openText(file)
                    StackReader(context, base, file.parent, fileOf).read().also { mistakes += context.mistakes() }
                } catch (unreadable: ExperimentMistakes) {
                    mistakes += unreadable.mistakes
                    null
                }
            }
            if (mistakes.isNotEmpty()) throw ExperimentMistakes(mistakes)
            return StackCatalogue(
                contents.flatMap { it.stacks }, contents.flatMap { it.options }, contents.flatMap { it.services },
            )
        }
    }
}

/** Folders with modules of stacks and services. */
private val HOMES = listOf("servers", "tickets")

/** The result of a look-up of a stack by name. */
internal sealed interface Found {
    class Stack(val stack: threadgauge.model.Stack) : Found
    class Nothing(val problem: String, val remedy: () -> String) : Found
}

/**
 * The `stacks.yaml` of every module in [folder], ordered by path. A folder with such a file or a `pom.xml` is a module,
 * and modules are not nested. Any other folder groups modules.
 */
private fun stackFiles(folder: Path): List<Path> {
    val file = folder.resolve("stacks.yaml")
    if (Files.exists(file)) return listOf(file)
    if (Files.exists(folder.resolve("pom.xml"))) return emptyList()
    return try {
        Files.newDirectoryStream(folder, Files::isDirectory).use { it.sorted() }.flatMap(::stackFiles)
    } catch (_: IOException) {
        emptyList()
    }
}
