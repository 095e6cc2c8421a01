package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.default
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.UnknownHostException
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import kotlin.io.path.isDirectory
import sun.misc.Signal
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.serve.Access
import threadgauge.serve.RunServer

/** `threadgauge serve`: a local page over all runs of a folder. Nothing is measured. */
internal class ServeCommand : CliktCommand(name = "serve") {
    private val place by argument("folder", help = "Folder with the records (default: results)")
        .path().default(Path.of("results"))
    private val port by option("--port", metavar = "N", help = "Port of the page (default: $USUAL_PORT)")
        .int().restrictTo(1..MAX_PORT).default(USUAL_PORT)
    private val host by option(
        "--host", metavar = "address",
        help = "Address of this machine to listen on, such as 0.0.0.0; all but loopback need a token, which is printed",
    ).default(LOOPBACK)
    private val token by option("--token", help = "Demand a token on loopback, too, against other users of the machine")
        .flag()

    override fun help(context: Context) = """
        Show all runs of a folder in a browser: search them, open reports, lay two runs side by side, see how figures
        went, and follow a run under way. Nothing is started from the page.

        Only this machine can open it, unless --host says otherwise. Ends with Ctrl-C.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge serve
          threadgauge serve build/records --port 7071
          threadgauge serve --host 192.168.1.20
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "ended with Ctrl-C",
        ExitCode.BAD_FILE to "there is no such folder",
        ExitCode.UNAVAILABLE to "the port is in use, or the address is not one of this machine",
    )

    override fun run() {
        if (!place.isDirectory()) {
            throw stop(
                ExitCode.BAD_FILE,
                "There is no folder $place. Give the folder of your runs, or run an experiment first.",
            )
        }
        val address = try {
            InetAddress.getByName(host)
        } catch (_: UnknownHostException) {
            throw stop(ExitCode.UNAVAILABLE, "There is no address $host. Give an address of this machine with --host.")
        }
        val access = Access.of(address, host, always = token)
        val server = try {
            RunServer.start(place, InetSocketAddress(address, port), access) { it.printStackTrace() }
        } catch (denied: IOException) {
            throw stop(
                ExitCode.UNAVAILABLE,
                "$host, port $port, cannot be listened on: ${denied.message}. Give an address of this machine with " +
                    "--host, and a port that you may use with --port.",
            )
        }
        val ended = CountDownLatch(1)
        // At once: nothing here is worth waiting for.
        listOf("INT", "TERM", "HUP").forEach { name -> Signal.handle(Signal(name)) { ended.countDown() } }
        server.use {
            say(access, it.port)
            ended.await()
        }
    }

    private fun say(access: Access, port: Int) {
        val isEvery = InetAddress.getByName(host).isAnyLocalAddress
        val named = if (isEvery) runCatching { InetAddress.getLocalHost().hostName }.getOrDefault(host) else host
        terminal.println("Runs in $place: ${RunServer.addressOf(named, port, access.token)}")
        if (access.token != null) {
            terminal.println("Whoever has this address can read the runs; nothing is encrypted.", stderr = true)
        }
        terminal.println("Ctrl-C ends it.", stderr = true)
    }

    private companion object {
        const val USUAL_PORT = 7_070
        const val MAX_PORT = 65_535
        const val LOOPBACK = "127.0.0.1"
    }
}
