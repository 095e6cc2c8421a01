package threadgauge.store

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.RecordFault

/**
 * Keeps other Threadgauge processes from writing to the same record while it is open. The operating system releases the
 * lock when this process ends, also by `kill -9`. The lock file stays: deleting it could remove a file that another
 * process has just locked.
 */
internal class RecordLock private constructor(private val channel: FileChannel) : AutoCloseable {
    override fun close() = channel.close()

    companion object {
        /**
         * Locks the record in [folder], which must exist. Throws [RecordInUse] if another process holds the lock, and
         * [RecordNotWritten] if the lock file cannot be opened. On a file system without locks the run goes on
         * unlocked.
         */
        fun take(folder: Path): RecordLock {
            val channel = try {
                FileChannel.open(folder.resolve(LOCK_FILE), CREATE, READ, WRITE)
            } catch (denied: IOException) {
                throw RecordNotWritten(folder, denied)
            }
            val isFree = try {
                channel.tryLock() != null
            } catch (_: OverlappingFileLockException) {
                false
            } catch (_: IOException) {
                true
            }
            if (!isFree) throw RecordInUse(folder, channel.use(::ownerIn))
            runCatching {
                channel.truncate(0)
                channel.write(ByteBuffer.wrap("${ProcessHandle.current().pid()}\n".toByteArray()), 0)
            }
            return RecordLock(channel)
        }

        /** The process id in the lock file, which its owner wrote; null if there is none. */
        private fun ownerIn(channel: FileChannel): Long? {
            val text = ByteBuffer.allocate(MAX_NUMBER_LENGTH)
            runCatching { channel.read(text, 0) }
            return String(text.array(), 0, text.position()).trim().toLongOrNull()
        }
    }
}

/** Another process writes the record in [folder]; [owner] is its process id, null if unknown. */
class RecordInUse(folder: Path, owner: Long?) : Failed(Failure.Record(RecordFault.InUse("$folder", owner)))

private const val LOCK_FILE = ".lock"

/** Digits of the largest `Long`, and one for the line break. */
private const val MAX_NUMBER_LENGTH = 20
