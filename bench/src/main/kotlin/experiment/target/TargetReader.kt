package threadgauge.experiment.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import threadgauge.experiment.stack.Found
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Parsed
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.slug
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Container
import threadgauge.model.Stack

/**
 * Reads a TARGET of the command line: a URL, the name of a stack, a jar, an image, or a command. Commands run in
 * [folder], and file names are relative to it. Of hosts other than this machine, only those in [mayLoad] are accepted,
 * because a load on somebody else's server is an attack. Throws [ExperimentMistakes] that list what was tried.
 */
fun readTarget(
    text: String,
    catalogue: StackCatalogue,
    folder: Path = Path.of(""),
    mayLoad: Set<String> = emptySet(),
): Stack {
    val words = text.trim()
    val stack = catalogue.find(words)
    // A command may contain a plus, too, so the text is a stack only if its name is known.
    if (stack is Found.Nothing && words.substringBefore('+').trim() in catalogue.names) {
        throw wrongTarget(stack.problem, stack.remedy())
    }
    return (stack as? Found.Stack)?.stack?.also(::refuseSeller) ?: when {
        words.isEmpty() ->
            throw wrongTarget("nothing was named", "Give a URL, a jar, a command in quotes, or the name of a stack.")
        words.startsWith(CONTAINER) -> ofImage(words.removePrefix(CONTAINER).trim(), folder)
        "://" in words.substringBefore(' ') -> readUrl(words, mayLoad)
        LOOKS_LIKE_A_HOST.matches(words) ->
            throw wrongTarget("${quoted(words)} has no scheme", "Write http://${quoted(words).trim('"')}.")
        else -> readCommand(words, catalogue, folder.toAbsolutePath().normalize())
    }
}

/** Its port is an option, as of a command. */
private fun ofImage(image: String, folder: Path): Stack {
    if (!IMAGE.matches(image)) {
        throw wrongTarget("${quoted(image)} is not the name of an image", "Write container:shop:1.4.")
    }
    return ofCommand(listOf(image), emptyMap(), folder.toAbsolutePath().normalize())
        .copy(command = emptyList(), container = Container(image))
}

/** A single request does not make a sale. */
private fun refuseSeller(stack: Stack) {
    if (!stack.sells) return
    throw wrongTarget(
        "${stack.name} sells seats, which needs an event",
        "Measure it with ./threadgauge run 17-tickets, or copy that file.",
    )
}

/** A command with its arguments, or a jar; it runs in [folder]. Throws [ExperimentMistakes]. */
internal fun readCommand(text: String, catalogue: StackCatalogue, folder: Path): Stack {
    val jar = existing(folder, text)
    if (jar != null && text.endsWith(".jar")) {
        return ofCommand(listOf("{java}", "-jar", jar.toString()), emptyMap(), folder)
    }
    val words = when (val parsed = commandWords(text)) {
        is Parsed.Good -> parsed.value
        is Parsed.Bad -> throw wrongTarget(parsed.problem, parsed.remedy)
    }
    val set = words.takeWhile { ASSIGNMENT.matches(it) }
    val command = words.drop(set.size)
    val environment = set.associate { it.substringBefore('=') to it.substringAfter('=') }
    val program = command.firstOrNull()
        ?: throw wrongTarget("${quoted(text)} sets variables and starts nothing", "Add a command.")
    val file = existing(folder, program)
    val found = if ('/' in program) file else onPath(program)
    if (found != null && !program.endsWith(".jar")) refuseUnstartable(found, command, folder)
    return when {
        program.endsWith(".jar") && file != null ->
            ofCommand(listOf("{java}", "-jar", file.toString()) + command.drop(1), environment, folder)
        program == "{java}" || '/' !in program && found != null -> ofCommand(command, environment, folder)
        file != null && Files.isDirectory(file) ->
            throw wrongTarget("${quoted(program)} is a folder", "Give a jar or a command.")
        file != null && Files.isExecutable(file) ->
            ofCommand(listOf(file.toString()) + command.drop(1), environment, folder)
        file != null ->
            throw wrongTarget("the file ${quoted(program)} cannot be run", "Make it executable: chmod +x $program")
        program.endsWith(".jar") ->
            throw wrongTarget("there is no jar ${quoted(program)}", "It was looked for in $folder.")
        else -> throw wrongTarget(
            "${quoted(program)} is no stack, no file in $folder and no program on the PATH",
            "Give a URL, a jar, a command in quotes, or a stack. " + nearestRemedy(program, catalogue.names),
        )
    }
}

internal fun ofCommand(command: List<String>, environment: Map<String, String>, folder: Path): Stack {
    val title = nameOfCommand(command)
    return Stack(
        name = slug(title).ifEmpty { "service" },
        title = title,
        model = ConcurrencyModel.UNKNOWN,
        setting = YOUR_OWN,
        command = command,
        folder = folder.toString(),
        keepsContract = false,
        environment = environment,
    )
}

/**
 * A name for it: the jar, the main class or source file of a `java` command, the module of a `python` command, else the
 * program.
 */
private fun nameOfCommand(command: List<String>): String {
    val program = plainName(command.first())
    if (program.startsWith("python") && command.getOrNull(1) == "-m") return command.getOrElse(2) { program }
    if (RUNS_A_SCRIPT.matches(program)) {
        val script = command.drop(1).firstOrNull { !it.startsWith("-") && SCRIPT.containsMatchIn(it) }
        return script?.let { plainName(it).substringBeforeLast('.') } ?: program
    }
    if (program != "java" && program != "{java}") return program
    val jar = command.indexOf("-jar").takeIf { it >= 0 }?.let { command.getOrNull(it + 1) }
    if (jar != null) return plainName(jar)
    val main = command.drop(1).withIndex()
        .firstOrNull { (index, word) -> !word.startsWith("-") && command[index] !in TAKE_A_VALUE }
    return main?.value?.let { if ('/' in it || it.endsWith(".java")) plainName(it) else it.substringAfterLast('.') }
        ?: "java"
}

private fun plainName(path: String) =
    path.substringAfterLast('/').removeSuffix(".jar").removeSuffix(".java").removeSuffix(".sh")

private fun existing(folder: Path, name: String): Path? =
    runCatching { folder.resolve(name) }.getOrNull()?.takeIf { it.exists() }?.normalize()

private fun onPath(program: String): Path? = System.getenv("PATH").orEmpty().split(':')
    .firstNotNullOfOrNull { place -> runCatching { Path.of(place, program) }.getOrNull()?.takeIf(::canBeRun) }

private fun canBeRun(file: Path) = Files.isRegularFile(file) && Files.isExecutable(file)

internal fun wrongTarget(problem: String, remedy: String) =
    ExperimentMistakes(listOf(ExperimentMistake(TARGET, 0, 0, "", problem, remedy)))

/** The setting of a service without a description. */
internal const val YOUR_OWN = "your own"

/** In place of the name of a file, in mistakes about a target. */
internal const val TARGET = "TARGET"

/** Before the name of an image, as a target. */
internal const val CONTAINER = "container:"
private val ASSIGNMENT = Regex("[A-Za-z_][A-Za-z0-9_]*=.*", RegexOption.DOT_MATCHES_ALL)
private val LOOKS_LIKE_A_HOST = Regex(
    """(localhost|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+|\d+(\.\d+){3}|\[[0-9a-fA-F:]+]):\d{1,5}(/\S*)?""",
)

/** Programs that are not what people would call the service, and the ends of names of what they run. */
private val RUNS_A_SCRIPT = Regex("python[0-9.]*|node|deno|bun|ruby|perl|php|npx|tsx")
private val SCRIPT = Regex("\\.(py|js|mjs|cjs|ts|rb|pl|php)$")

/** Options of `java` whose value is the next word. */
private val TAKE_A_VALUE =
    setOf("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens", "--add-exports")
