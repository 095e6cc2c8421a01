package threadgauge.server.springmvc.customers

import java.io.InputStream
import java.lang.reflect.Type
import org.springframework.core.MethodParameter
import org.springframework.http.HttpInputMessage
import org.springframework.http.converter.HttpMessageConverter
import org.springframework.web.bind.annotation.ControllerAdvice
import org.springframework.web.server.ContentTooLargeException
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter
import threadgauge.server.customers.NewCustomer
import threadgauge.server.work.Customers

/**
 * Limits bodies before they are parsed, as on other stacks. Neither Spring MVC nor Tomcat limits bodies other than
 * forms.
 */
@ControllerAdvice
class BodyLimit : RequestBodyAdviceAdapter() {
    override fun supports(parameter: MethodParameter, type: Type, converter: Class<out HttpMessageConverter<*>>) =
        type == NewCustomer::class.java

    override fun beforeBodyRead(
        message: HttpInputMessage,
        parameter: MethodParameter,
        type: Type,
        converter: Class<out HttpMessageConverter<*>>,
    ): HttpInputMessage {
        val bytes = message.body.readNBytes(Customers.MAX_BODY_BYTES + 1)
        if (bytes.size > Customers.MAX_BODY_BYTES) throw ContentTooLargeException(null)
        return object : HttpInputMessage by message {
            override fun getBody(): InputStream = bytes.inputStream()
        }
    }
}
