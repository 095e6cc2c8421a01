package threadgauge.server.springmvc.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.articles.Article
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** Articles from a database, where one is given. The request's own thread waits for it, as it does for everything else. */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression(HAS_DATABASE)
class ArticleEndpoints(private val repository: ArticleRepository) {
    @GetMapping
    fun articles(@RequestParam(required = false) ids: String?): List<Article> = repository.find(idsOf(ids))

    @GetMapping("/{id}")
    fun article(@PathVariable id: String): Article = repository.find(listOf(idOf(id))).single()
}

/** The address may be there and empty: the bench fills in nothing where no database is. */
internal const val HAS_DATABASE = "!'\${spring.datasource.url:}'.isEmpty()"
