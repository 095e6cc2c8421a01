package threadgauge.dist

import java.io.OutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.security.DigestOutputStream
import java.security.MessageDigest
import java.util.HexFormat
import kotlin.io.path.name

/** SHA-256 of [file], in hex. */
internal fun sha256(file: Path): String {
    val digest = newDigest()
    DigestOutputStream(OutputStream.nullOutputStream(), digest).use { Files.copy(file, it) }
    return digest.hex()
}

internal fun newDigest(): MessageDigest = MessageDigest.getInstance("SHA-256")

internal fun MessageDigest.hex(): String = HexFormat.of().formatHex(digest())

/** What `sha256sum --check` reads. */
internal fun checksumFile(files: List<Path>): String =
    files.sortedBy { it.name }.joinToString("") { "${sha256(it)}  ${it.name}\n" }
