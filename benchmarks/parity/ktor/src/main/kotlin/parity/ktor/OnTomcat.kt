package threadgauge.parity.ktor

import io.ktor.server.servlet.jakarta.ServletApplicationEngine
import org.apache.catalina.startup.Tomcat
import java.nio.file.Files

/** Ktor's servlet as its guide "WAR" has it, in a Tomcat that this process starts. The servlet reads `application.conf` by itself. */
internal fun serveOnTomcat(port: Int) {
    val folder = Files.createTempDirectory("parity-").toString()
    val tomcat = Tomcat().apply {
        setBaseDir(folder)
        setPort(port)
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
