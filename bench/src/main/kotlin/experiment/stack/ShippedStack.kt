package threadgauge.experiment.stack

import threadgauge.model.Connections
import threadgauge.model.Cookies
import threadgauge.model.Edition
import threadgauge.model.Stack
import threadgauge.model.withEdition

/** A stack as its file describes it, and how options change it. */
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

    /** Nobody has packed the fuller edition anew. */
    private fun Stack.packedAs(jar: BuiltJar): Stack =
        copy(command = command.startedFrom(jar.place), module = jar.module, more = more?.copy(
            command = emptyList(), module = null,
        ))

    private fun List<String>.startedFrom(jar: String): List<String> =
        indexOf("-jar").let { take(it + 1) + jar + drop(it + 2) }

    /** Null where none of [options] has anything to write. */
    private fun trained(command: List<String>, options: List<StackOption>): List<String>? =
        if (options.none { it.isTrained }) null else options.fold(command) { changed, option -> option.train(changed) }
}

/** A jar at this [place], absolute, which this Maven [module] builds. */
internal class BuiltJar(val place: String, val module: String)

/**
 * A way in which stacks can be other than plain: tuned, with a feature switched on, with another driver. Each of its
 * changes is one argument for the Java or for the server.
 */
internal class StackOption(
    val name: String,
    val title: String,
    /** In place of that of the stack; null where it stays. */
    val setting: String?,
    /** Names of the stacks that can have it. */
    val stacks: Set<String>,
    /** Only the fuller edition can do it. */
    val needsMore: Boolean,
    /** Options that do not go with this one. */
    val not: Set<String>,
    private val java: List<String>,
    private val arguments: List<String>,
    /**
     * Arguments for the Java in the start in which the stack writes what [java] lets it read; empty where it writes
     * nothing.
     */
    private val training: List<String>,
    /** What every request must carry where it is on; as [Stack.sends]. */
    val sends: Map<String, String>,
    /** What is spoken where it is on; null where that stays. */
    val connections: Connections?,
    /** As [Stack.adds]. */
    val adds: Set<String>,
    /** What is kept where it is on; as [Stack.cookies]. */
    val cookies: Cookies?,
    /** As [Stack.replicas]; null where that stays. */
    val replicas: Int? = null,
    /**
     * What is started in place of the stack's own jar, of the same server in another packing; null where that stays.
     */
    val packed: BuiltJar? = null,
) {
    fun fits(stack: String) = stack in stacks

    fun goesWith(other: StackOption) = other.name !in not && !(packed != null && other.needsMore)

    /**
     * Arguments for the Java go before its `-jar`, those for the server to the end, where they take the place of
     * earlier ones.
     */
    fun change(command: List<String>): List<String> = changed(command, java)

    val isTrained: Boolean get() = training.isNotEmpty()

    /** As [change], for the start in which the stack writes what the others read. */
    fun train(command: List<String>): List<String> = changed(command, training.ifEmpty { java })

    private fun changed(command: List<String>, java: List<String>): List<String> {
        val jar = command.indexOf("-jar").coerceAtLeast(1)
        return command.take(jar) + java + command.drop(jar) + arguments
    }
}
