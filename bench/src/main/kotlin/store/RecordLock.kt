package threadgauge.store

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import java.time.Duration
import java.time.Instant
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

        /**
         * Whether another process holds the lock of [folder]. Where the owner that the lock file names is alive, the
         * lock is not touched, so that nobody who wants it finds it taken.
         */
        fun isHeld(folder: Path): Boolean = try {
            val file = folder.resolve(LOCK_FILE)
            FileChannel.open(file, READ).use { channel ->
                val owner = ownerIn(channel)?.let { ProcessHandle.of(it).orElse(null) }
                // The owner may live in another container, where it has another number.
                owner != null && isOwner(owner, file) || channel.tryLock(0, Long.MAX_VALUE, true) == null
            }
        } catch (_: OverlappingFileLockException) {
            true
        } catch (_: IOException) {
            false
        }

        /** Numbers of processes are used again: one that started after the lock was taken is not its owner. */
        private fun isOwner(process: ProcessHandle, lock: Path): Boolean {
            val started = process.info().startInstant().orElse(Instant.EPOCH)
            val taken = Files.getLastModifiedTime(lock).toInstant()
            return process.isAlive && started <= taken + CLOCKS_DIFFER_BY
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

/** The clock of the file system is read in ticks, and starts of processes are computed from ticks since the boot. */
private val CLOCKS_DIFFER_BY: Duration = Duration.ofSeconds(2)

/** Digits of the largest `Long`, and one for the line break. */
private const val MAX_NUMBER_LENGTH = 20
