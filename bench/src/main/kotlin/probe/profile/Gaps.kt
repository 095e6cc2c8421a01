package threadgauge.probe.profile

import java.nio.file.Path
import threadgauge.model.profile.ProfileGap
import threadgauge.model.profile.ProfilePart

/** What could not be observed. The name of [folder] appears in none. Safe for any thread. */
internal class Gaps(private val folder: Path) {
    private val gaps = LinkedHashSet<ProfileGap>() // guarded by this

    /** Each once, in the order in which they were found. */
    val all: List<ProfileGap> @Synchronized get() = gaps.toList()

    /** The result of [work], which observes [part]; null if it fails. Rethrows an interrupt. */
    fun <T> of(part: ProfilePart, work: () -> T): T? = try {
        work()
    } catch (interrupt: InterruptedException) {
        throw interrupt
    } catch (failure: Exception) {
        add(part, whyOf(failure))
        null
    }

    @Synchronized
    fun add(part: ProfilePart, why: String) {
        gaps += ProfileGap(part, why.lineSequence().first().replace("$folder", "…").take(MAX_LENGTH))
    }

    /** The innermost cause, because JMX wraps what it reports. */
    private fun whyOf(failure: Throwable): String = "${generateSequence(failure) { it.cause }.last()}"

    private companion object {
        const val MAX_LENGTH = 300
    }
}
