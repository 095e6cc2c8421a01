package threadgauge.run.agent

import java.io.IOException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/**
 * The token in [file], which is made for the owner's eyes alone where there is none; [onMade] is called then. Several
 * agents may start at once with the same file: one makes it, and none reads half of it. Throws [BadToken].
 */
internal fun tokenIn(file: Path, onMade: () -> Unit): AgentToken {
    try {
        if (Files.notExists(file) && isMade(file)) onMade()
        return AgentToken.of(file.readText()) ?: throw BadToken(Failure.ShortToken("$file", AgentToken.LEAST_LENGTH))
    } catch (denied: IOException) {
        throw BadToken(Failure.TokenFile("$file", denied.message))
    }
}

/** Writes a new token into a file of its own, which becomes [file] whole; false if another process was faster. */
private fun isMade(file: Path): Boolean {
    val folder = file.toAbsolutePath().parent.createDirectories()
    val forItsOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    val written = Files.createTempFile(folder, ".token-", null, forItsOwner)
    return try {
        written.writeText(AgentToken.new() + "\n")
        becomes(file, written)
        true
    } catch (_: FileAlreadyExistsException) {
        false
    } finally {
        written.deleteIfExists()
    }
}

/** A link cannot replace what is there. Where the file system has no links, a file made in between could be lost. */
private fun becomes(file: Path, written: Path) {
    try {
        Files.createLink(file, written)
    } catch (exists: FileAlreadyExistsException) {
        throw exists
    } catch (_: FileSystemException) {
        Files.move(written, file)
    } catch (_: UnsupportedOperationException) {
        Files.move(written, file)
    }
}

/** A file that holds no token, or cannot be read or written. */
class BadToken(failure: Failure) : Failed(failure)
