package threadgauge.experiment.stack

import threadgauge.experiment.request.PROTOCOLS
import threadgauge.experiment.request.Rows
import threadgauge.experiment.request.headers
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlList
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Login
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

/**
 * Reads the options of one `stacks.yaml` with these [stacks]. [hasMore]: it has a fuller edition. [sells]: its stacks
 * have a sale. [jarAt] resolves the place of a jar.
 */
internal class StackOptionReader(
    private val context: ParseContext,
    private val stacks: Set<String>,
    private val hasMore: Boolean,
    private val sells: Boolean,
    private val jarAt: (YamlNode) -> BuiltJar?,
) {
    fun read(node: YamlNode): StackOption? {
        val fields = context.fields(node, "an option", OPTION_KEYS, OPTION_EXAMPLE) ?: return null
        val name = fields.required("name", "name: tuned")?.let { context.name(it, "name") }
        val title = context.title(fields)
        val setting = fields.optional("setting")?.let { context.choice(it, "setting", SETTINGS) ?: return null }
        val needsMore = fields.optional("more")?.let { context.yesOrNo(it, "more") ?: return null } ?: false
        if (needsMore && !hasMore) {
            context.wrong(
                fields.keyNode("more"),
                "there is no fuller edition in this file",
                "Add more: at the top, or leave this out.",
            )
        }
        val only = fields.optional("stacks")?.let { names(it)?.toSet() ?: return null } ?: stacks
        val not = fields.optional("not")?.let { context.texts(it, "not") ?: return null }.orEmpty()
        val changes = fields.optional("changes")
            ?.let { context.list(it, "changes") { change -> change(change, isTuned = setting == "tuned") } }.orEmpty()
        val training = fields.optional("training")?.let { training(it, changes) ?: return null }.orEmpty()
        val sends = fields.optional("sends")?.let { context.headers(it, Rows.NONE) }.orEmpty()
        val connections = fields.optional("connections")?.let { connections(it) ?: return null }
        val adds = fields.optional("adds")?.let { context.texts(it, "adds") ?: return null }.orEmpty()
        val cookies = fields.optional("cookies")?.let { context.yesOrNo(it, "cookies") ?: return null } ?: false
        val login = fields.optional("login")?.let { login(it) ?: return null }
        val replicas = fields.optional("replicas")?.let { replicas(it) ?: return null }
        if (name == null || title == null) return null
        if ("changes" !in fields && !needsMore && replicas == null) {
            context.wrong(node, "this option changes nothing", "Add changes: [{argument: …}], or more: yes.")
        }
        val packed = changes.firstNotNullOfOrNull { it.jar }
        if (packed != null && needsMore) {
            return context.fail(node, "the fuller edition has a jar of its own", "Leave out more: or jar:.")
        }
        val (java, arguments) = changes.filter { it.jar == null }.partition { it.isForJava }
        return StackOption(
            name, title, setting, only, needsMore, not.toSet(), java.map { it.text }, arguments.map { it.text },
            training, sends,
            connections, adds.toSet(), if (cookies || login != null) Cookies(login) else null, replicas, packed,
        )
    }

    private fun replicas(node: YamlNode): Int? {
        if (sells) return context.wholeNumber(node, "replicas", 2..MAX_REPLICAS)
        return context.fail(node, "only stacks that sell can have replicas", "Leave it out, or add audit: at the top.")
    }

    private class Change(val text: String, val isForJava: Boolean, val jar: BuiltJar? = null)

    /** Tuning needs a reason and a source. */
    private fun change(node: YamlNode, isTuned: Boolean): Change? {
        val fields = context.fields(node, "a change", CHANGE_KEYS, CHANGE_EXAMPLE) ?: return null
        val key = listOf("java", "jar").firstOrNull { it in fields } ?: "argument"
        val value = fields.required(key, "argument: \"--server.tomcat.threads.max=400\"")
        val text = value?.let { context.words(it, key, "a text, in quotes", MAX_ARGUMENT_LENGTH) }
        for (reason in listOf("because", "source")) {
            val given = if (isTuned) fields.required(reason, "$reason: …") else fields.optional(reason)
            given?.let { context.words(it, reason, "a sentence", MAX_REASON_LENGTH) }
        }
        if (text == null) return null
        return if (key == "jar") {
            jarAt(value)?.let { Change(text, isForJava = false, it) }
        } else {
            Change(text, key == "java")
        }
    }

    /** An archive needs both arguments: for writing and for reading. */
    private fun training(node: YamlNode, changes: List<Change>): List<String>? {
        val texts = context.texts(node, "training") ?: return null
        if (texts.any { ARCHIVE in it } && changes.any { it.isForJava && ARCHIVE in it.text }) return texts
        val remedy =
            "Write training: [\"-XX:AOTCacheOutput=$ARCHIVE\"] and changes: [{java: \"-XX:AOTCache=$ARCHIVE\"}]."
        return context.fail(
            node, "the start in which the stack is trained and the others must both name $ARCHIVE", remedy,
        )
    }

    /**
     * Protocol and encryption with this option. Its authorities are a variable in braces, because the certificate is
     * created for each run.
     */
    private fun connections(node: YamlNode): Connections? {
        val fields = context.fields(node, "connections", listOf("protocol", "tls"), CONNECTIONS_EXAMPLE) ?: return null
        val protocol = fields.optional("protocol")?.let { context.choice(it, "protocol", PROTOCOLS) ?: return null }
            ?: Protocol.HTTP_1_1
        val tls = fields.optional("tls")?.let { tls(it) ?: return null }
        return Connections(protocol, tls)
    }

    private fun tls(node: YamlNode): Tls? {
        val fields = context.fields(node, "tls", listOf("authorities"), CONNECTIONS_EXAMPLE) ?: return null
        val name = fields.required("authorities", "authorities: \"{certificate}\"")
            ?.let {
                context.words(it, "authorities", "the name in braces of what a service gives", MAX_ARGUMENT_LENGTH)
            }
        return name?.let { Tls(it) }
    }

    /** The login that each user sends once; it implies that cookies are kept. */
    private fun login(node: YamlNode): Login? {
        val fields = context.fields(node, "login", listOf("path", "form"), LOGIN_EXAMPLE) ?: return null
        val path =
            fields.required("path", "path: /login")?.let { context.words(it, "path", "a path", MAX_ARGUMENT_LENGTH) }
        val form = fields.required("form", "form: user=me")
            ?.let { context.words(it, "form", "names and values", MAX_ARGUMENT_LENGTH) }
        return if (path == null || form == null) null else Login(path, form)
    }

    private fun names(node: YamlNode): List<String>? {
        val names = context.texts(node, "stacks") ?: return null
        val wrong = names.firstOrNull { it !in stacks } ?: return names
        return context.fail(node, "there is no stack ${quoted(wrong)} in this file", context.nearest(wrong, stacks))
    }
}

/** The members of a list, each read by [read]. */
internal fun <T : Any> ParseContext.list(node: YamlNode, what: String, read: (YamlNode) -> T?): List<T> =
    members(node, what, "- {name: …, title: …, …}").orEmpty().mapNotNull(read)

/** A list of texts, which may be empty. */
internal fun ParseContext.texts(node: YamlNode, what: String): List<String>? {
    if (node is YamlList && node.items.isEmpty()) return emptyList()
    val members = members(node, what, "a list of texts") ?: return null
    val texts = members.map { words(it, "one of $what", "a text, in quotes", MAX_ARGUMENT_LENGTH) }
    return texts.filterNotNull().takeIf { it.size == members.size }
}

internal fun ParseContext.title(fields: Fields): String? = fields.required("title", "title: Spring MVC on Tomcat")
    ?.let { words(it, "title", "words for people", MAX_TITLE_LENGTH) }

private val OPTION_KEYS = listOf(
    "name", "title", "setting", "stacks", "more", "not", "changes", "sends", "connections", "adds", "cookies", "login",
    "training", "replicas",
)
private const val MAX_REPLICAS = 20
private const val ARCHIVE = "{archive}"
private val CHANGE_KEYS = listOf("argument", "java", "jar", "because", "source")
private const val OPTION_EXAMPLE = "- {name: gzip, title: answers by gzip, changes: [{argument: …}]}"
private const val CHANGE_EXAMPLE = "- {argument: --x=1, because: …, source: …}"
private const val CONNECTIONS_EXAMPLE = "connections: {protocol: http/2, tls: {authorities: \"{certificate}\"}}"
private const val LOGIN_EXAMPLE = "login: {path: /login, form: \"user=me&password=secret\"}"
private const val MAX_TITLE_LENGTH = 80
private const val MAX_REASON_LENGTH = 400
