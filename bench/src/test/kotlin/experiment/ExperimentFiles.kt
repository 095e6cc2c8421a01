package threadgauge.experiment

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Stack

/** Stacks that the experiments in these tests may use. */
internal val KNOWN = StackCatalogue(
    listOf("spring-mvc", "spring-mvc-virtual", "spring-webflux", "ktor-netty").map { name ->
        Stack(name, name, ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("{java}"), "/")
    },
    services = listOf(
        Service(
            "upstream", ServiceKind.UPSTREAM, listOf("{java}", "--port={port}"), "/", "upstream", listOf("/mobile"),
        ),
        Service("postgresql", ServiceKind.DATABASE, listOf("{java}"), "/", null, listOf("/sql"), listOf("{address}")),
    ),
)

internal val VALID = """
    name: tour
    question: Which one fits?
    stacks: [spring-mvc, ktor-netty]
    situations:
      - name: answers-at-once
        words: are answered at once
        request: GET /hello
        load: {users: 50, for: 5s}
    trials: 3
    margin: 3%
    warm-up: {budget: 30s, load: 1s, pause: 1s, compiler: all cores}
""".trimIndent()

/** Reads [text] as an experiment file. */
internal fun read(text: String) = read(text.toByteArray())

internal fun read(bytes: ByteArray) = withFile { file ->
    file.writeBytes(bytes)
    readExperiment(file, KNOWN)
}

/** As [read], with [files] by name beside the experiment. */
internal fun readBeside(text: String, vararg files: Pair<String, String>): Experiment {
    val folder = Files.createTempDirectory("experiment")
    return try {
        for ((name, content) in files) folder.resolve(name).writeText(content)
        readExperiment(folder.resolve("test.yaml").also { it.writeText(text) }, KNOWN)
    } finally {
        folder.toFile().deleteRecursively()
    }
}

/** Problems and remedies of a file with other [files] beside it, `6:10 problem | remedy`. */
internal fun mistakesBeside(text: String, vararg files: Pair<String, String>): List<String> = try {
    readBeside(text, *files)
    emptyList()
} catch (wrong: ExperimentMistakes) {
    wrong.mistakes.map { "${it.line}:${it.column} ${it.problem} | ${it.remedy}" }
}

/**
 * The mistakes of each of [cases] in the file that is made of it, all in one text, so that a failure shows every
 * difference.
 */
internal fun mistakesOf(cases: List<String>, file: (String) -> String) =
    cases.joinToString("\n") { case -> "$case\n    " + mistakesBeside(file(case)).joinToString("\n    ") }

/** What [mistakesOf] must give. */
internal fun shown(cases: List<Pair<String, String>>) =
    cases.joinToString("\n") { (case, mistake) -> "$case\n    $mistake" }

/** An experiment in the short form whose request begins in line 5. */
internal fun asking(request: String, load: String = "{burst: 1}", more: String = "") =
    "name: a\nquestion: b?\nstacks: ktor-netty\nload: $load\n" + "request: $request\n$more"

/** The mistakes in [text], without file names; empty when there are none. */
internal fun mistakes(text: String): List<ExperimentMistake> = mistakes(text.toByteArray())

internal fun mistakes(bytes: ByteArray): List<ExperimentMistake> = try {
    read(bytes)
    emptyList()
} catch (wrong: ExperimentMistakes) {
    wrong.mistakes.map { it.copy(file = "test.yaml") }
}

/** Problems with their places, `3:10 unknown stack "x"`. */
internal fun problems(text: String): List<String> = mistakes(text).map { "${it.line}:${it.column} ${it.problem}" }

internal fun <T> withFile(work: (Path) -> T): T {
    val file = Files.createTempFile("experiment", ".yaml")
    return try {
        work(file)
    } finally {
        Files.delete(file)
    }
}

/** A root folder with `servers/<folder>/stacks.yaml` for each pair. */
internal fun <T> withServers(vararg files: Pair<String, String>, work: (Path) -> T): T {
    val root = Files.createTempDirectory("servers")
    return try {
        for ((folder, text) in files) {
            Files.createDirectories(root.resolve("servers/$folder")).resolve("stacks.yaml").writeText(text)
        }
        work(root)
    } finally {
        root.toFile().deleteRecursively()
    }
}

/** The project's root: the nearest folder above the working directory that holds `experiments`. */
internal fun projectRoot(): Path = generateSequence(Path.of("").toAbsolutePath()) { it.parent }
    .first { Files.isDirectory(it.resolve("experiments")) }
