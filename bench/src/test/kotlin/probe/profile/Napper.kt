package threadgauge.probe.profile

import java.io.IOException
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

/**
 * A server of [java] in a process of its own, whose handler sleeps; its files are in [folder], those that its JVM makes
 * in [temporary].
 */
internal class Napper(java: Path, folder: Path) : AutoCloseable {
    val temporary: Path = folder.resolve("temporary").createDirectories()
    private val process =
        SourceProcess(folder, NAME, SOURCE, "-Djava.io.tmpdir=$temporary", "-Xmx128m", NO_DELAY, java = java)
    val pid: Long get() = process.pid
    private val port = process.said.toInt()

    @Volatile
    private var isLoaded = true
    private val clients = List(CLIENTS) { thread(name = "client", isDaemon = true) { ask() } }

    /** Ends the process as the kernel does, without a chance to remove anything. */
    fun kill() = process.close()

    override fun close() {
        isLoaded = false
        kill()
        clients.forEach { it.join() }
    }

    private fun ask() {
        while (isLoaded) {
            try {
                URI("http://127.0.0.1:$port/").toURL().openStream().use { it.readAllBytes() }
            } catch (_: IOException) {
                Thread.sleep(10)
            }
        }
    }

    companion object {
        const val NAME = "Napper"
        const val CLIENTS = 4

        /** Otherwise most of the time of a request is a wait for an acknowledgement of TCP. */
        private const val NO_DELAY = "-Dsun.net.httpserver.nodelay=true"
        private val SOURCE = """
            import com.sun.net.httpserver.HttpServer;
            import java.net.InetSocketAddress;
            import java.util.concurrent.Executors;

            public class $NAME {
                static void nap() throws InterruptedException {
                    Thread.sleep(50); // here
                }

                public static void main(String[] arguments) throws Exception {
                    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
                    server.setExecutor(Executors.newFixedThreadPool(8));
                    server.createContext("/", exchange -> {
                        try {
                            nap();
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        exchange.sendResponseHeaders(200, 2);
                        exchange.getResponseBody().write(new byte[2]);
                        exchange.close();
                    });
                    server.start();
                    System.out.println(server.getAddress().getPort());
                }
            }
        """.trimIndent() + "\n"

        /** Line of the source in which it sleeps. */
        val LINE = SourceProcess.lineOf("here", SOURCE)

        /** The `java` of a JDK of [version] beside the one that runs this, or the first of the path; null without. */
        fun javaOf(version: Int): Path? {
            val beside = Path.of(System.getProperty("java.home")).toRealPath().parent.listDirectoryEntries()
            val ofPath = System.getenv("PATH").orEmpty().split(':').map { Path.of(it, "java") }
                .firstOrNull(Files::isExecutable)?.toRealPath()?.parent?.parent
            return (beside + listOfNotNull(ofPath)).firstOrNull { isOf(version, it) }?.resolve("bin/java")
        }

        private fun isOf(version: Int, home: Path): Boolean = runCatching {
            val release = home.resolve("release").readText()
            "JAVA_VERSION=\"$version" in release && Files.isExecutable(home.resolve("bin/javac"))
        }.getOrDefault(false)
    }
}
