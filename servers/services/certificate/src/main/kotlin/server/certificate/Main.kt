package threadgauge.server.certificate

import java.io.File
import java.util.concurrent.CountDownLatch
import kotlin.system.exitProcess

/**
 * Makes a certificate in the folder that `--folder=…` names, says `ready keystore=… keystorePassword=… certificate=…`, and stays until
 * it is ended, as services do.
 */
fun main(arguments: Array<String>) {
    val folder = arguments.singleOrNull()?.takeIf { it.startsWith(FOLDER) && it != FOLDER }?.removePrefix(FOLDER)
    if (folder == null || !File(folder).isDirectory) {
        System.err.println("certificate: give --folder=FOLDER, one that is there, and nothing else, not ${arguments.joinToString(" ")}")
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
