package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.optional
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.cli.stop
import threadgauge.experiment.readExperiment
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.Service
import threadgauge.model.request.words
import threadgauge.model.words

/** `threadgauge list`: stacks, workloads and experiments. */
internal class ListCommand : CliktCommand(name = "list") {
    private val what by argument("what", help = "stacks, workloads or experiments (default: all)")
        .choice("stacks", "workloads", "experiments").optional()

    override fun help(context: Context) = "List stacks, workloads and experiments."

    override fun helpEpilog(context: Context) = exitCodes(
        ExitCode.DONE to "done",
        ExitCode.BAD_FILE to "a stacks.yaml or a shipped experiment is wrong",
    )

    override fun run() {
        try {
            val catalogue = StackCatalogue.read(home)
            if (what == null || what == "stacks") {
                stacks(catalogue)
                services(catalogue)
            }
            if (what == null || what == "workloads") workloads()
            if (what == null || what == "experiments") experiments(catalogue)
        } catch (wrong: ExperimentMistakes) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        }
    }

    private fun stacks(catalogue: StackCatalogue) {
        section("Stacks") {
            catalogue.stacks.map { stack ->
                val options = catalogue.optionsOf(stack.name).map { (name, _) -> "+$name" }.chunked(OPTIONS_A_LINE)
                val title = "${stack.title}; ${stack.model.words}; ${stack.setting}"
                stack.name to (listOf(title) + options.map { it.joinToString(" ") }).joinToString("\n")
            }
        }
        section("Options of stacks, such as spring-mvc+gzip+cors") {
            catalogue.stacks.flatMap { catalogue.optionsOf(it.name).toList() }
                .groupBy({ "+${it.first}" }, { it.second })
                .map { (name, titles) -> name to titles.distinct().joinToString("; ") }
        }
    }

    private fun services(catalogue: StackCatalogue) {
        if (catalogue.services.isEmpty()) return
        section("Services, started when a request needs them") {
            catalogue.services.map { it.name to "${it.kind.name.lowercase()} for ${forWhom(it)}" }
        }
    }

    private fun workloads() = section("Workloads") {
        listOf(
            "GET /hello" to "answers immediately: the framework alone",
            "GET /delay/{ms}" to "waits, as the manual of the stack recommends",
            "GET /block/{ms}" to "blocks the handler thread: a mistake on an event loop",
            "GET /offload/{ms}" to "makes the same blocking call on the threads that the manual recommends",
            "GET /api/random/string/{length}" to "computes a random text",
            "GET /api/articles?ids=1,2,3" to "queries a database for up to 1,000 rows",
            "GET /api/articles/{id}" to "queries a database for one row",
            "GET /mobile/users/{id}?ms=250" to
                "waits twice concurrently; with &from=upstream for two backend calls",
            "GET /fanout/{strategy}/{ms}" to "makes ten backend calls, in one of seven ways",
            "GET /events/{ms}/{count}" to "sends a stream of events, one every so many milliseconds",
            "POST /events/{event}/reservations" to
                "reserves a seat, committed before it is acknowledged (tickets-… only)",
            "POST /customers" to "parses and serializes a customer: JSON, XML or CBOR, by Content-Type and Accept",
        )
    }

    private fun experiments(catalogue: StackCatalogue) = section("Experiments") {
        val folders = listOf("experiments", "experiments/claims").map(home::resolve).filter { it.isDirectory() }
        folders.flatMap { it.listDirectoryEntries("*.yaml").sorted() }.map { file ->
            val experiment = readExperiment(file, catalogue)
            home.resolve("experiments").relativize(file).toString().removeSuffix(".yaml") to experiment.question +
                experiment.situations.joinToString("") { "\n${it.request.words()}, ${it.load.words()}" }
        }
    }

    private fun section(title: String, lines: () -> List<Pair<String, String>>) {
        val entries = lines()
        val width = entries.maxOfOrNull { it.first.length } ?: 0
        terminal.println(bold(title))
        for ((name, words) in entries) {
            val (first, rest) = words.lines().let { it.first() to it.drop(1) }
            terminal.println("  ${name.padEnd(width)}  $first")
            rest.forEach { terminal.println("  " + " ".repeat(width) + "  " + dim(it)) }
        }
        terminal.println()
    }
}

/** How many of the longest names fit 80 columns, next to the longest name of a stack. */
private const val OPTIONS_A_LINE = 4

private fun forWhom(service: Service) = service.kind.forWhom ?: service.paths.joinToString(", ")
