package threadgauge.server.tomcat

import org.apache.catalina.connector.Request
import org.apache.catalina.connector.Response
import org.apache.catalina.valves.ErrorReportValve
import threadgauge.server.work.Problem

/**
 * Answers a request that never reached the framework with the problem document that all stacks share. It replaces the
 * valve that renders Tomcat's HTML page, so requests pass no extra valve.
 *
 * Tomcat creates it by its class name (`errorReportValveClass`). Other errors are answered without a stack trace, as
 * with Spring Boot.
 */
class UnreadReports : ErrorReportValve() {
    init {
        isShowReport = false
        isShowServerInfo = false
    }

    override fun report(request: Request, response: Response, failure: Throwable?) {
        val problem = Problem.ofUnread(response.status)
        if (problem == null) return super.report(request, response, failure)
        if (response.contentWritten > 0 || !response.setErrorReported()) return
        val body = problem.json.toByteArray()
        response.contentType = "application/problem+json"
        response.setContentLength(body.size)
        response.outputStream.write(body)
        response.finishResponse()
    }
}
