package threadgauge.plan.command

import threadgauge.model.Stack
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.SettingKind

/**
 * This stack with [setting], whose `{value}` is [size]. A setting that its command has already is replaced where a
 * second one would not count. [inherited] is the environment that the stack's own adds to.
 */
internal fun Stack.changedBy(
    setting: ChangeSetting,
    size: String,
    inherited: (String) -> String? = System::getenv,
): Stack {
    val text = setting.text(size)
    val value = text.substringAfter("=", "")
    return when (setting.kind) {
        SettingKind.PROPERTY, SettingKind.JVM -> withJvmOption(text, inherited)
        SettingKind.ARGUMENT -> withArgument(setting.name, text)
        SettingKind.ENVIRONMENT -> copy(environment = environment + (setting.name to value))
        SettingKind.SPRING -> when {
            // An argument counts more than a system property.
            command.any { it.startsWith("--${setting.name}=") } -> withArgument("--${setting.name}", "--$text")
            isJava -> withJvmOption("-D$text", inherited)
            else -> copy(environment = environment + (variableOf(setting.name) to value))
        }
    }
}

private val Stack.isJava: Boolean
    get() = command.first().let { it == "{java}" || it.substringAfterLast('/') == "java" }

/** Behind all other options of the JVM, because of two of the same name the last counts. */
private fun Stack.withJvmOption(option: String, inherited: (String) -> String?): Stack {
    if (isJava) {
        val at = endOfOptions(command)
        return copy(command = command.take(at) + option + command.drop(at))
    }
    // A script starts it: every launcher of Java from 9 on reads this variable.
    val before = environment[JAVA_OPTIONS] ?: inherited(JAVA_OPTIONS)
    return copy(environment = environment + (JAVA_OPTIONS to listOfNotNull(before, option).joinToString(" ")))
}

/** Where the jar, the main class or the source file begins. */
private fun endOfOptions(command: List<String>): Int {
    var at = 1
    while (at < command.size) {
        val word = command[at]
        if (word in STARTS_IT || word.first() !in OPTION_SIGNS) break
        at += if (word in TAKE_A_VALUE) 2 else 1
    }
    return minOf(at, command.size)
}

private fun Stack.withArgument(name: String, text: String): Stack {
    val at = command.indexOfLast { it.startsWith("$name=") }
    return copy(command = if (at < 0) command + text else command.toMutableList().also { it[at] = text })
}

/** Spring Boot's relaxed binding: dots become underscores, and hyphens are left out. */
private fun variableOf(property: String) = property.replace("-", "").replace('.', '_').uppercase()

/** Behind these stands what is started. */
private val STARTS_IT = setOf("-jar", "-m", "--module")

/** An option, or a file of options. */
private const val OPTION_SIGNS = "-@"
private const val JAVA_OPTIONS = "JDK_JAVA_OPTIONS"

/** Options of `java` whose value is the next word. */
private val TAKE_A_VALUE =
    setOf("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens", "--add-exports")
