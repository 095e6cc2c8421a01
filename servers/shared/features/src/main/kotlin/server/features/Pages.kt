package threadgauge.server.features

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.stereotype.Controller
import org.springframework.ui.Model
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import threadgauge.server.work.Features
import threadgauge.server.work.PAGE_TITLE
import threadgauge.server.work.itemCountOf
import threadgauge.server.work.itemsOf

/** Pages by Thymeleaf. The handler returns the name of the template. */
@Controller
@ConditionalOnBooleanProperty(Features.TEMPLATES)
class Pages {
    @GetMapping("/page/{n}")
    fun page(@PathVariable n: String, model: Model): String {
        model.addAttribute("title", PAGE_TITLE).addAttribute("items", itemsOf(itemCountOf(n)))
        return "page"
    }
}
