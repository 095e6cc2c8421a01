package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The script that writes the comment, with a command in place of GitHub's. */
@Tag("processes")
class PostCommentTest {
    private val job = CiJob()

    @AfterEach
    fun removeFolders() = job.close()

    @Test
    fun `the first build adds a comment, and the next one changes it`() {
        post(comments = "").exitCode shouldBe 0
        job.calls.last() shouldContainAll
            listOf("--method", "POST", "repos/o/r/issues/12/comments", "body=@${job.file("comment.md")}")
        post(comments = "41 somebody\n42 github-actions[bot]\n43 github-actions[bot]").exitCode shouldBe 0
        job.calls.last() shouldContainAll listOf("PATCH", "repos/o/r/issues/comments/42")
        job.calls.flatten() shouldContain
            ".[] | select(.body | startswith(\"$MARKER\")) | \"\\(.id) \\(.user.login)\""
    }

    @Test
    fun `a comment of another person with the same first line stays as it is`() {
        post(comments = "41 somebody").exitCode shouldBe 0
        job.calls.last() shouldContain "POST"
        post(comments = "41 somebody", me = "echo somebody").exitCode shouldBe 0
        job.calls.last() shouldContain "PATCH"
    }

    @Test
    fun `a comment that cannot be written is a warning`() {
        for ((gh, warning) in mapOf(
            "exit 1" to "the comments of pull request 12 cannot be read",
            "case $* in *POST*) exit 1 ;; esac" to "pull-requests: write",
            "case $* in *PATCH*) exit 1 ;; *paginate*) echo 5 github-actions[bot] ;; *user*) exit 1 ;; esac" to
                "comment 5 cannot be changed",
        )) {
            withClue(gh) {
                val ran = job.postComment("$MARKER\ntext\n", "12", gh)
                ran.exitCode shouldBe 0
                ran.output.last() shouldContain "::warning title=Threadgauge::The comment could not be written: "
                ran.output.last() shouldContain warning
            }
        }
    }

    @Test
    fun `without a pull request, a text or a first line of ours nothing is sent`() {
        for ((text, number) in listOf(
            "$MARKER\n" to "", "$MARKER\n" to "1/../2", "" to "12", "x\") | env | select(\"\n" to "12",
        )) {
            withClue("$text for $number") {
                job.postComment(text, number, "true").exitCode shouldBe 0
                job.calls.shouldBeEmpty()
            }
        }
    }

    private fun post(comments: String, me: String = "exit 1") = job.postComment(
        "$MARKER\ntext\n", "12",
        "case $* in *' user '*) $me ;; *paginate*) printf '%s\\n' '${comments.replace("\n", "' '")}' ;; esac",
    )

    private companion object {
        const val MARKER = "<!-- threadgauge 7 -->"
    }
}
