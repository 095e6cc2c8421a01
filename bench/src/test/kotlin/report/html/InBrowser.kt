package threadgauge.report.html

import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.extension.ConditionEvaluationResult
import org.junit.jupiter.api.extension.ExecutionCondition
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.ParameterContext
import org.junit.jupiter.api.extension.ParameterResolver

/**
 * A class of tests in a real browser, which its constructor takes and which ends with the class. Skipped where Chromium
 * or its driver is not installed.
 */
@Tag("browser")
@ExtendWith(BrowserOfClass::class)
@Target(AnnotationTarget.CLASS)
annotation class InBrowser

/** One [Browser] for each class. The store of the class closes it. */
internal class BrowserOfClass : ExecutionCondition, ParameterResolver {
    override fun evaluateExecutionCondition(context: ExtensionContext): ConditionEvaluationResult =
        if (Browser.present) ConditionEvaluationResult.enabled("Chromium and its driver are installed")
        else ConditionEvaluationResult.disabled("Chromium or its driver is missing")

    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext) =
        parameter.parameter.type == Browser::class.java

    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Browser {
        val ofClass = if (context.testMethod.isPresent) context.parent.get() else context
        val store = ofClass.getStore(ExtensionContext.Namespace.create(BrowserOfClass::class.java))
        return store.computeIfAbsent(Browser::class.java, { Browser() }, Browser::class.java)
    }
}
