package threadgauge.checks.bad.load.schedule

import java.net.Socket
import threadgauge.checks.bad.load.http.KnowsTheTarget

/** A schedule that keeps to itself. */
class SleepsAndSends {
    fun sleep() = Thread.sleep(1)
    fun socket() = Socket()
    fun send() = KnowsTheTarget()
}
