package threadgauge.run.agent

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.io.path.writeText
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/**
 * The token in [file], which is made for the owner's eyes alone where there is none; [onMade] is called then. Throws
 * [BadToken].
 */
internal fun tokenIn(file: Path, onMade: () -> Unit): AgentToken {
    try {
        if (Files.notExists(file)) {
            file.toAbsolutePath().parent.createDirectories()
            val forItsOwner = PosixFilePermissions.fromString("rw-------")
            Files.createFile(file, PosixFilePermissions.asFileAttribute(forItsOwner))
            file.writeText(AgentToken.new() + "\n")
            onMade()
        }
        return AgentToken.of(file.readText()) ?: throw BadToken(Failure.ShortToken("$file", AgentToken.LEAST_LENGTH))
    } catch (denied: IOException) {
        throw BadToken(Failure.TokenFile("$file", denied.message))
    }
}

/** A file that holds no token, or cannot be read or written. */
class BadToken(failure: Failure) : Failed(failure)
