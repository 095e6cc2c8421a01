package threadgauge.server.tomcat

import org.apache.catalina.connector.Request
import org.apache.catalina.connector.Response
import org.apache.catalina.valves.ErrorReportValve
import threadgauge.server.work.Problem

/**
 * Says what is wrong with a request that never reached the framework in the words that all stacks share. It stands where Tomcat's own
 * page of HTML would be made, so that no request passes more than it would without.
 *
 * Tomcat makes it by its name (`errorReportValveClass`). As with Spring Boot, what is not foreseen is answered without a stack trace.
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
