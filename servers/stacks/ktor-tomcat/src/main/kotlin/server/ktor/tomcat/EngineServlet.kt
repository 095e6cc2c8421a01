package threadgauge.server.ktor.tomcat

import io.ktor.http.HttpHeaders
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationEnvironment
import io.ktor.server.engine.EnginePipeline
import io.ktor.server.servlet.jakarta.DefaultServletUpgrade
import io.ktor.server.servlet.jakarta.KtorServlet

/** Ktor's servlet, with the application and the pipeline of calls that it serves. */
class EngineServlet(
    private val environment: ApplicationEnvironment,
    override val enginePipeline: EnginePipeline,
    private val provider: () -> Application,
) : KtorServlet() {
    override val application get() = provider()
    override val logger get() = environment.log
    override val upgrade get() = DefaultServletUpgrade

    /** Tomcat sets this header itself. */
    override val managedByEngineHeaders get() = setOf(HttpHeaders.TransferEncoding)
}
