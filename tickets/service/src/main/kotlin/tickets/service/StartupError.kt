package threadgauge.tickets.service

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer
import org.springframework.boot.diagnostics.FailureAnalysis

/** A setting, a database or another service makes it impossible to start. [remedy] says what the user can do. */
class StartupError(override val message: String, val remedy: String, cause: Throwable? = null) :
    RuntimeException(message, cause)

/** Logs a [StartupError] as a message and a remedy, instead of a stack trace. Registered in `spring.factories`. */
class StartupErrorAnalyzer : AbstractFailureAnalyzer<StartupError>() {
    override fun analyze(rootFailure: Throwable, cause: StartupError) =
        FailureAnalysis(cause.message, cause.remedy, cause)
}
