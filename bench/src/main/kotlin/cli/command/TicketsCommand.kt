package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.restrictTo
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.cli.onInterrupt
import threadgauge.cli.progress.buildWords
import threadgauge.cli.stop
import threadgauge.demo.LedgerDatabase
import threadgauge.demo.SaleMemory
import threadgauge.demo.SaleOn
import threadgauge.demo.SaleOrder
import threadgauge.demo.SalePrograms
import threadgauge.demo.TicketSale
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled

/** `threadgauge tickets`: starts the reservation service for manual use. */
internal class TicketsCommand : CliktCommand(name = "tickets") {
    private val strategy by option("--strategy", help = "Reservation strategy: ${STRATEGIES.keys.joinToString()}")
        .choice(*STRATEGIES.keys.toTypedArray()).default("batch")
    private val replicas by option("--replicas", metavar = "N", help = "Services that sell the same seats, 1 to 10")
        .int().restrictTo(1..MAX_REPLICAS).default(1)
    private val port by option("--port", metavar = "N", help = "Port of the first service")
        .int().restrictTo(1..MAX_PORT).default(USUAL_PORT)
    private val capacity by option("--capacity", metavar = "N", help = "Seats of the demo event")
        .int().restrictTo(0..MAX_SEATS).default(USUAL_SEATS)
    private val database by option(
        "--database", metavar = "URL",
        help = "PostgreSQL, MariaDB or MySQL of your own, such as jdbc:postgresql://db:5432/sale; or `mariadb`, for " +
            "one of the sale's own",
    )
    private val redis by option("--redis", metavar = "URL", help = "Redis of your own, such as redis://127.0.0.1:6379")
    private val user by option("--user", metavar = "NAME", help = "User of that database")
    private val password by option(
        "--password", metavar =
        "TEXT", help = "Password of that user; better in THREADGAUGE_PASSWORD, which other users cannot read",
        envvar = "THREADGAUGE_PASSWORD",
    )

    override fun help(context: Context) = """
        Start a ticket sale that never oversells, with a page to watch it and to reserve by hand.

        It brings a PostgreSQL of its own, whose data is gone at the end, and opens a demo event. Ends with Ctrl-C.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge tickets
          threadgauge tickets --strategy queue --replicas 2
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "the sale was ended with Ctrl-C",
        ExitCode.BAD_FILE to "a stacks.yaml is wrong; nothing was started",
        ExitCode.UNAVAILABLE to "a build, a port, a database or a service is missing or stopped",
        ExitCode.INTERRUPTED to "a second Ctrl-C: left at once",
    )

    override fun run() {
        val order = SaleOrder(replicas, port, strategy, capacity, ledger(), memory())
        val programs = programs()
        val cancellation = Cancellation()
        onInterrupt(cancellation, "stopping the sale") {
            try {
                TicketSale(programs, order, cancellation).run(
                    building = { terminal.println(buildWords(it), stderr = true) },
                    told = { terminal.println(it, stderr = true) },
                    on = ::show,
                )
            } catch (_: Cancelled) {
                terminal.println("The sale is over.", stderr = true)
            }
        }
    }

    private fun programs(): SalePrograms = try {
        val catalogue = StackCatalogue.read(home)
        SalePrograms(home, catalogue.stacks.first { it.sells }, catalogue.services)
    } catch (wrong: ExperimentMistakes) {
        throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
    }

    private fun ledger(): LedgerDatabase {
        val url = database
        if (url == null || url in OWN) {
            if (user != null) throw UsageError("--user requires the URL of a --database.")
            return LedgerDatabase.Own(url ?: OWN.first())
        }
        if (SCHEMES.none { url.startsWith(it) }) {
            throw UsageError(
                "--database must begin with ${SCHEMES.joinToString(" or ")}, or be ${OWN.joinToString(" or ")}; not $url",
            )
        }
        return LedgerDatabase.At(url, user ?: throw UsageError("--database needs --user."), password.orEmpty())
    }

    private fun memory(): SaleMemory {
        val url = redis
        val isNeeded = STRATEGIES.getValue(strategy)
        if (url == null) return if (isNeeded) SaleMemory.Own else SaleMemory.None
        if (!isNeeded) throw UsageError(
            "--redis is for ${STRATEGIES.filterValues { it }.keys.joinToString()}; $strategy needs none.",
        )
        if (!url.startsWith("redis://") && !url.startsWith("rediss://")) {
            throw UsageError("--redis must begin with redis:// or rediss://, not $url")
        }
        return SaleMemory.At(url)
    }

    private fun show(sale: SaleOn) {
        val place = sale.services.first()
        val event = "$place/events/${sale.event}"
        val admin = "Authorization: Bearer ${sale.adminToken}"
        val others = sale.services.drop(1).joinToString("") { "\n  and        $it" }
        terminal.println(
            """
            |
            |The sale is on: $capacity seats, event ${sale.event}.
            |
            |  watch it   $place/?event=${sale.event}$others
            |  reserve    curl -i $event/reservations -H 'Idempotency-Key: my-first' --json '{"quantity": 2}'
            |  metrics    $place/metrics
            |  open more  curl -i $place/events -H '$admin' --json '{"name": "Noon", "capacity": 100}'
            |
            |Ctrl-C ends it.
            """.trimMargin(),
        )
    }

    private companion object {
        /** The strategies of the service, and whether each needs Redis. */
        val STRATEGIES = mapOf(
            "batch" to false, "sql-row" to false, "skip-locked" to false, "queue" to true, "grid" to false,
            "redis-lua" to true, "redis-lock" to true, "naive" to true,
        )
        val OWN = listOf("postgresql", "mariadb")
        val SCHEMES = listOf("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:")
        const val MAX_REPLICAS = 10
        const val MAX_PORT = 65_535
        const val USUAL_PORT = 8_080
        const val MAX_SEATS = 10_000_000
        const val USUAL_SEATS = 1_000
    }
}
