package threadgauge.report.runs

import java.security.MessageDigest
import java.util.Base64
import kotlinx.html.HEAD
import kotlinx.html.MAIN
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.stream.appendHTML
import kotlinx.html.style
import kotlinx.html.title
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.VERSION
import threadgauge.report.html.STYLES
import threadgauge.report.html.brand
import threadgauge.report.html.documentHead
import threadgauge.report.html.resource
import threadgauge.report.html.themeButton

/** A file that served pages load. Its [path] changes with its content, so browsers may keep it for ever. */
class ServedAsset internal constructor(name: String, val type: String, val content: String) {
    val path: String = "/assets/${fingerprint(content)}-$name"
}

/** Everything that served pages load. */
val SERVED_ASSETS: List<ServedAsset> by lazy { listOf(STYLE, THEME, SCRIPT, FLAMES) }

private val STYLE by lazy {
    ServedAsset("style.css", "text/css", (STYLES + "serve.css").joinToString("\n") { read(it) })
}
private val THEME by lazy { ServedAsset("report.js", "text/javascript", read("report.js")) }
private val FLAMES by lazy { ServedAsset("flames.js", "text/javascript", read("flames.js")) }
private val SCRIPT by lazy { ServedAsset("serve.js", "text/javascript", read("serve.js")) }

private fun read(name: String) = resource("/threadgauge/report/$name")

private fun fingerprint(content: String): String =
    Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(content).copyOf(FINGERPRINT_BYTES))

internal fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())

private const val FINGERPRINT_BYTES = 9

/** A page of the server, with the links to its other pages. [here] is the one that it belongs to. */
internal fun servedPage(name: String, note: String, here: String, skipTo: String, content: MAIN.() -> Unit): String =
    buildString {
        append("<!DOCTYPE html>\n")
        appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
            lang = "en"
            head { servedHead(name) }
            body {
                a(href = "#$skipTo", classes = "skip") { +"Skip to the content" }
                header("top") {
                    brand(note)
                    nav {
                        attributes["aria-label"] = "Pages"
                        ul {
                            listOf(RunLinks.LIST to "Runs", RunLinks.HISTORIES to "Histories").forEach { (at, words) ->
                                li { a(href = at) { if (at == here) attributes["aria-current"] = "page"; +words } }
                            }
                        }
                    }
                    themeButton()
                }
                main { content() }
                footer { p { +"Threadgauge $VERSION. This page loads nothing from a network." } }
            }
        }
        append('\n')
    }

/** A page in one file, with its styles and scripts, for whoever has no server. */
internal fun offlinePage(name: String, note: String, skipTo: String, content: MAIN.() -> Unit): String = buildString {
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head {
            documentHead(name)
            style { unsafe { raw(read("serve.css")) } }
        }
        body {
            a(href = "#$skipTo", classes = "skip") { +"Skip to the content" }
            header("top") {
                brand(note)
                themeButton()
            }
            main { content() }
            footer { p { +"Threadgauge $VERSION. This page was made from records alone and loads nothing." } }
            listOf("report.js", "flames.js").forEach { script { unsafe { raw(read(it)) } } }
        }
    }
    append('\n')
}

private fun HEAD.servedHead(name: String) {
    meta(charset = "utf-8")
    meta(name = "viewport", content = "width=device-width, initial-scale=1")
    meta(name = "color-scheme", content = "light dark")
    link(rel = "icon", href = "data:,")
    title("$name · Threadgauge")
    link(rel = "stylesheet", href = STYLE.path)
    listOf(THEME, SCRIPT, FLAMES).forEach { script(src = it.path) { defer = true } }
}

/** A page that says why there is nothing to see, and what to do. */
fun messageHtml(title: String, sentences: List<String>): String =
    servedPage(title, "runs", here = "", skipTo = "message") {
        section {
            id = "message"
            h1("message") { +title }
            sentences.forEach { p { +it } }
            p { a(href = RunLinks.LIST) { +"All runs" } }
        }
    }

/** The page for a reader who is not let in: no link and no style, because all of them need the token, too. */
fun refusedHtml(): String = buildString {
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head {
            meta(charset = "utf-8")
            meta(name = "viewport", content = "width=device-width, initial-scale=1")
            meta(name = "color-scheme", content = "light dark")
            link(rel = "icon", href = "data:,")
            title("Token needed · Threadgauge")
        }
        body {
            h1 { +"These runs need a token" }
            p { +"Open the whole address that `threadgauge serve` printed when it was started, with its token." }
        }
    }
    append('\n')
}
