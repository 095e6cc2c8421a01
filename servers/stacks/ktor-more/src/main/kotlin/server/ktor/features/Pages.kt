package threadgauge.server.ktor.features

import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.server.util.getOrFail
import kotlinx.html.body
import kotlinx.html.head
import kotlinx.html.li
import kotlinx.html.title
import kotlinx.html.ul
import threadgauge.server.work.PAGE_TITLE
import threadgauge.server.work.itemCountOf
import threadgauge.server.work.itemsOf

/** Pages with kotlinx.html. Ktor's plugins for engines with template files do not resolve. */
internal fun Application.servePages() {
    routing {
        get("/page/{n}") {
            val items = itemsOf(itemCountOf(call.pathParameters.getOrFail("n")))
            call.respondHtml {
                head { title(PAGE_TITLE) }
                body { ul { items.forEach { li { +it } } } }
            }
        }
    }
}
