package threadgauge.server.ktor.articles

import kotlinx.serialization.Serializable
import org.jetbrains.exposed.v1.core.ResultRow
import org.jetbrains.exposed.v1.core.Table

/**
 * An article as kotlinx-serialization writes it, in the order of the properties. Not the class that the Spring stacks
 * share: the serializer that the compiler adds would confuse Jackson.
 */
@Serializable
internal data class Article(val author: String, val body: String, val id: Int, val title: String)

/** The table for Exposed, which selects the columns in this order. */
internal object ArticleTable : Table("article") {
    val author = varchar("author", 100)
    val body = varchar("body", 200)
    val id = integer("id")
    val title = varchar("title", 200)
    override val primaryKey = PrimaryKey(id)
}

internal fun articleOf(row: ResultRow) =
    Article(row[ArticleTable.author], row[ArticleTable.body], row[ArticleTable.id], row[ArticleTable.title])
