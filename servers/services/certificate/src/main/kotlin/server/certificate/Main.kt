package threadgauge.server.certificate

import java.io.File
import java.util.concurrent.CountDownLatch
import kotlin.system.exitProcess

/**
 * Creates a certificate in the folder of `--folder=…`, prints `ready keystore=… keystorePassword=… certificate=…`, and
 * runs until it is stopped, as services do.
 */
fun main(arguments: Array<String>) {
    val folder = arguments.singleOrNull()?.takeIf { it.startsWith(FOLDER) && it != FOLDER }?.removePrefix(FOLDER)
    if (folder == null || !File(folder).isDirectory) {
        val actual = arguments.joinToString(" ")
        System.err.println("certificate: expected --folder= with an existing folder and nothing else, not $actual")
        exitProcess(EXIT_USAGE)
    }
    val made = try {
        Certificate.make(File(folder))
    } catch (failure: Exception) {
        System.err.println("certificate: ${failure.message}")
        exitProcess(EXIT_UNAVAILABLE)
    }
    println("ready keystore=${made.keystore} keystorePassword=${made.password} certificate=${made.pem}")
    CountDownLatch(1).await()
}

private const val FOLDER = "--folder="
private const val EXIT_USAGE = 64
private const val EXIT_UNAVAILABLE = 69
