package threadgauge.server.ktor.tomcat

import io.ktor.server.application.Application
import threadgauge.server.ktor.serve

/** The application as a servlet. Named in `application.conf`. */
fun Application.tomcatModule() = serve(TomcatFacts(this))
