package threadgauge.server.ktor.cio

import io.ktor.server.application.Application
import threadgauge.server.ktor.serve

/** The application on CIO. Named in `application.conf`. */
fun Application.cioModule() = serve(CioFacts(this))
