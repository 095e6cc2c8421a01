package threadgauge.parity.servlet

import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.server.servlet.jakarta.ServletApplicationEngine
import java.nio.file.Files
import org.apache.catalina.startup.Tomcat

/**
 * Ktor's servlet as its guide "WAR" has it, in a Tomcat that this process starts. The servlet reads `application.conf`
 * by itself.
 */
fun main(arguments: Array<String>) {
    val folder = Files.createTempDirectory("parity-").toString()
    val tomcat = Tomcat().apply {
        setBaseDir(folder)
        setPort(arguments.single().toInt())
    }
    Tomcat.addServlet(tomcat.addContext("", folder), "ktor", ServletApplicationEngine()).apply {
        addInitParameter("io.ktor.ktor.config", "application.conf")
        addMapping("/")
        isAsyncSupported = true
        loadOnStartup = 1
    }
    tomcat.connector
    tomcat.start()
    tomcat.server.await()
}

/** As the project of the guide "Create, open and run a new Ktor project" ends. */
fun Application.module() {
    install(StatusPages) {
        exception<IllegalStateException> { call, failure -> call.respondText("failed: ${failure.message}") }
    }
    routing {
        get("/hello") { call.respondText("hello") }
    }
}
