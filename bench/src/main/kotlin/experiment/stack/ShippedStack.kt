package threadgauge.experiment.stack

import threadgauge.model.Edition
import threadgauge.model.Stack
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.withEdition

/** A stack as its file describes it, with its options. */
internal class ShippedStack(val plain: Stack) {
    fun with(options: List<StackOption>): Stack {
        if (options.isEmpty()) return plain
        val full = plain.more.takeIf { options.any { it.needsMore } }
        val edition = if (full == null) plain else plain.withEdition(full)
        val stack = options.firstNotNullOfOrNull { it.packed }?.let { edition.packedAs(it) } ?: edition
        return stack.copy(
            name = (listOf(plain.name) + options.map { it.name }).joinToString("+"),
            title = (listOf(plain.title) + options.map { it.title }).joinToString(", "),
            setting = options.firstNotNullOfOrNull { it.setting } ?: plain.setting,
            command = changed(stack.command, options),
            training = trained(stack.command, options),
            more = stack.more?.let { more ->
                if (more.isMissing) more else
                    Edition(more.paths, changed(more.command, options), more.module, trained(more.command, options))
            },
            knownAs = plain.name,
            sends = options.fold(stack.sends) { sends, option -> sends + option.sends },
            connections = options.firstNotNullOfOrNull { it.connections } ?: stack.connections,
            cookies = options.firstNotNullOfOrNull { it.cookies } ?: stack.cookies,
            adds = options.fold(stack.adds) { adds, option -> adds + option.adds },
            replicas = options.firstNotNullOfOrNull { it.replicas } ?: stack.replicas,
        )
    }

    private fun changed(command: List<String>, options: List<StackOption>): List<String> =
        options.fold(command) { changed, option -> option.change(changed) }

    /** There is no fuller edition in this packaging. */
    private fun Stack.packedAs(jar: BuiltJar): Stack =
        copy(command = command.startedFrom(jar.place), module = jar.module, more = more?.copy(
            command = emptyList(), module = null,
        ))

    private fun List<String>.startedFrom(jar: String): List<String> =
        indexOf("-jar").let { take(it + 1) + jar + drop(it + 2) }

    /** Null where none of [options] writes anything. */
    private fun trained(command: List<String>, options: List<StackOption>): List<String>? =
        if (options.none { it.isTrained }) null else options.fold(command) { changed, option -> option.train(changed) }
}

/** A jar at this absolute [place], built by this Maven [module]. */
internal class BuiltJar(val place: String, val module: String)

/**
 * A variation of stacks: tuned, with a feature, with another driver. Each change is one argument for the JVM or for the
 * server.
 */
internal class StackOption(
    val name: String,
    val title: String,
    /** Replaces that of the stack; null: unchanged. */
    val setting: String?,
    /** Names of the stacks with this option. */
    val stacks: Set<String>,
    /** Needs the fuller edition. */
    val needsMore: Boolean,
    /** Options that cannot be combined with this one. */
    val not: Set<String>,
    private val java: List<String>,
    private val arguments: List<String>,
    /** JVM arguments of the start in which the stack writes what [java] lets it read; empty where it writes nothing. */
    private val training: List<String>,
    /** Headers that every request needs with this option, as [Stack.sends]. */
    val sends: Map<String, String>,
    /** Protocol and encryption with this option; null: unchanged. */
    val connections: Connections?,
    /** As [Stack.adds]. */
    val adds: Set<String>,
    /** Cookies with this option, as [Stack.cookies]. */
    val cookies: Cookies?,
    /** As [Stack.replicas]; null: unchanged. */
    val replicas: Int? = null,
    /** Jar to start instead of that of the stack: the same server in another packaging; null: unchanged. */
    val packed: BuiltJar? = null,
) {
    fun fits(stack: String) = stack in stacks

    fun goesWith(other: StackOption) = other.name !in not && !(packed != null && other.needsMore)

    /** JVM arguments are inserted before `-jar`, those of the server are appended and replace earlier ones. */
    fun change(command: List<String>): List<String> = changed(command, java)

    val isTrained: Boolean get() = training.isNotEmpty()

    /** As [change], for the start in which the stack writes what later starts read. */
    fun train(command: List<String>): List<String> = changed(command, training.ifEmpty { java })

    private fun changed(command: List<String>, java: List<String>): List<String> {
        val jar = command.indexOf("-jar").coerceAtLeast(1)
        return command.take(jar) + java + command.drop(jar) + arguments
    }
}
