package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.model.request.ServiceUrl
import threadgauge.run.Cancellation
import threadgauge.run.agent.javaProgram
import threadgauge.target.OwnService

/**
 * Gives [look] the host and port of [stack], a service of the user's own. One that is not running is started for it,
 * with its output in [log], and stopped afterwards. Throws [threadgauge.target.TargetFailed] if it does not start. Ends
 * early if cancelled.
 */
internal fun <T> lookAt(stack: Stack, log: Path, cancellation: Cancellation, look: (host: String, port: Int) -> T): T {
    val place = stack.url?.let { checkNotNull(ServiceUrl.of(it)) { "$it is no URL" } }
    if (place != null) return look(place.host, place.effectivePort)
    Files.createDirectories(log.toAbsolutePath().parent)
    return cancellation.using(OwnService.start(stack, javaProgram(), emptyList(), log)) { service ->
        SingleRequest(stack.ready ?: Request(path = "/"), Connections()).use { single ->
            service.awaitReady { host, port -> single.ask(host, port).takeUnless { it.isAnswer } }
        }
        look(service.host, service.port)
    }
}

/** Whatever it says, the service is there: it may well have nothing at this path. */
private val AnswerFault?.isAnswer get() = this is AnswerFault.Status && status < FIRST_SERVER_ERROR

private const val FIRST_SERVER_ERROR = 500
