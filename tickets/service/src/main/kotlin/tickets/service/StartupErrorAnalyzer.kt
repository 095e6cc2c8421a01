package threadgauge.tickets.service

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer
import org.springframework.boot.diagnostics.FailureAnalysis
import threadgauge.tickets.service.store.StartupError

/** Says in the log what is wrong with the database and how to mend it, instead of a hundred lines of stack. Found by Spring Boot. */
class StartupErrorAnalyzer : AbstractFailureAnalyzer<StartupError>() {
    override fun analyze(rootFailure: Throwable, cause: StartupError) = FailureAnalysis(cause.message, cause.remedy, cause)
}
