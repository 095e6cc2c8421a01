package threadgauge.cli

import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.RecordFault
import threadgauge.wording.failure.words

/** The exit code of a command that this failure ends. */
internal val Failure.exitCode: ExitCode
    get() = when (this) {
        is Failure.Target, is Failure.Service, is Failure.Agent, is Failure.RemoteAgent, is Failure.Kubernetes,
        is Failure.Build, is Failure.Absent, is Failure.Port ->
            ExitCode.UNAVAILABLE
        is Failure.Run -> cause.exitCode
        is Failure.Resume, is Failure.Order, is Failure.ShortToken -> ExitCode.BAD_FILE
        is Failure.TokenFile -> ExitCode.NOT_WRITABLE
        is Failure.Record -> when (fault) {
            is RecordFault.InUse -> ExitCode.UNAVAILABLE
            is RecordFault.NotWritten -> ExitCode.NOT_WRITABLE
            else -> ExitCode.BAD_FILE
        }
        is Failure.Unforeseen, is Failure.Told -> ExitCode.UNAVAILABLE
    }

/** Ends the command with a description of [failed], and [more], on standard error. */
internal fun stop(failed: Failed, more: String = "") = stop(failed.failure.exitCode, failed.words() + more)
