package threadgauge.wording.failure

import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.VERSION
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.LogEnd
import threadgauge.model.failure.ServiceFault
import threadgauge.model.whyEnded
import threadgauge.model.whyFailed

/** What happened, and what to do about it. Begins in small letters where a name may precede it. */
fun Failure.words(): String = when (this) {
    is Failure.Target -> fault.words() + log.words()
    is Failure.Service -> "$name ${fault.words()}" + log.words()
    is Failure.Agent -> "The load agent stopped: ${fault.words()}. Its log: $log"
    is Failure.RemoteAgent -> "The load agent at $at cannot be used: ${fault.words()}."
    is Failure.Kubernetes -> fault.words(context)
    is Failure.ShortToken ->
        "The token in $file has less than $least characters. Delete the file, and a new one is made."
    is Failure.TokenFile -> "The token in $file cannot be read or written: ${detail.orEmpty()}"
    is Failure.Run -> "${cause.words()}\nThe record so far: $record"
    is Failure.Build -> "${modules.joinToString()} could not be built:\n$output"
    is Failure.Absent -> "This download holds what the tour measures, and ${modules.joinToString()} is not in it.\n" +
        "Get the archive threadgauge-all from the same place, which holds all stacks, or start from the sources."
    is Failure.Resume -> fault.words()
    is Failure.Record -> fault.words()
    is Failure.Order -> why
    is Failure.Port -> "Port $port is in use. Name another with $option."
    is Failure.Unforeseen -> error
    is Failure.Told -> sentence
}

/** [Failure.words] of the exception's failure. */
fun Failed.words(): String = failure.words()

/** Why the trial has no figures; null where it has figures or has not ended. */
fun Trial.reason(): String? = whyFailed?.words() ?: BY_THE_USER.takeIf { state == TrialState.INTERRUPTED }

/** Why the run ended early; null where it did not, or where the reason is unknown. */
fun Record.reason(): String? = reason(state, whyEnded)

/** The same for a run in [state], which [failure] ended. */
internal fun reason(state: RunState, failure: Failure?): String? =
    failure?.words() ?: BY_THE_USER.takeIf { state == RunState.INTERRUPTED }

private fun ServiceFault.words() = when (this) {
    is ServiceFault.NoContainer -> "cannot be started: ${fault.words()}"
    is ServiceFault.EndedEarly -> "ended${code(exitCode)} before it was ready"
    is ServiceFault.Ended -> "ended${code(exitCode)}, and nothing can be measured without it"
    is ServiceFault.EndedByItself -> "ended unexpectedly${code(exitCode)}"
    ServiceFault.NotReady -> "was not ready in time"
}

private fun AgentFault.words() = when (this) {
    is AgentFault.Ended -> "it ended with exit code $exitCode"
    is AgentFault.Unreadable -> "its last message is not readable: $detail"
    is AgentFault.TakesNoOrders -> "it accepts no orders ($detail)"
    is AgentFault.Refused -> "it could not execute its order: $why"
    AgentFault.UnknownHost -> "no machine of this name is known"
    is AgentFault.NoConnection -> "no connection (${detail ?: "for a reason unknown"}). Start it there with " +
        "threadgauge agent --listen, and let its port through the firewall"
    is AgentFault.NoListener -> "what answers there is no agent of Threadgauge ($detail)"
    is AgentFault.NoToken -> "there is no token in $place. Copy the file that the agent was started with, and name it"
    AgentFault.WrongToken -> "it was started with another token. Copy the file that it was started with"
    is AgentFault.OtherVersion -> "it is of version $theirs, and this is $VERSION. Install the same on both machines"
    AgentFault.Busy -> "it works for another run. Wait for that one, or start an agent on another port"
    is AgentFault.MayNotLoad -> "it may not load $host. If it may, start it with --i-may-load $host"
    is AgentFault.Silent -> "it gave no answer within $seconds s"
    is AgentFault.Lost -> "the connection broke" + detail?.let { " ($it)" }.orEmpty()
}

/** " with exit code 3"; empty where the code is unknown. */
internal fun code(exitCode: Int?) = exitCode?.let { " with exit code $it" }.orEmpty()

private fun LogEnd?.words(): String {
    if (this == null) return ""
    val end = if (lines.isEmpty()) " (empty)" else lines.joinToString("") { "\n    | $it" }
    return ". Its log: $file$end"
}

private const val BY_THE_USER = "interrupted by the user"
