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

/** Articles from a database, where an address is given. The thread of the request waits for it. */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression(HAS_DATABASE)
class ArticleEndpoints(private val repository: ArticleRepository) {
    @GetMapping
    fun articles(@RequestParam(required = false) ids: String?): List<Article> = repository.find(idsOf(ids))

    @GetMapping("/{id}")
    fun article(@PathVariable id: String): Article = repository.find(listOf(idOf(id))).single()
}

/** An address may be empty: the bench leaves it so where there is no database. */
internal const val HAS_DATABASE = "!'\${spring.datasource.url:}'.isEmpty()"
