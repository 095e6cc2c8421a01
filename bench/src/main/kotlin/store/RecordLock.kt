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
 * While it is open, no other Threadgauge process writes into the same record. The operating system gives the lock back
 * when this process ends, also by `kill -9`. The file stays: whoever removed it could take it from under one who has
 * just locked it.
 */
internal class RecordLock private constructor(private val channel: FileChannel) : AutoCloseable {
    override fun close() = channel.close()

    companion object {
        /**
         * Locks the record in [folder], which exists. Throws [RecordInUse] when another process has it. Where the file
         * system knows no locks, the run goes on without one.
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

        private fun ownerIn(channel: FileChannel): Long? {
            val text = ByteBuffer.allocate(MAX_NUMBER_LENGTH)
            runCatching { channel.read(text, 0) }
            return String(text.array(), 0, text.position()).trim().toLongOrNull()
        }
    }
}

/** Another process, [owner] where known, writes the record in [folder]. */
class RecordInUse(folder: Path, owner: Long?) : Failed(Failure.Record(RecordFault.InUse("$folder", owner)))

private const val LOCK_FILE = ".lock"
private const val MAX_NUMBER_LENGTH = 20
