package threadgauge.model.profile

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test

class FrameTextTest {
    @Test
    fun `a frame is written as in a stack trace and read again`() {
        text(Frame("shop.Endpoints", "block", 31, "Endpoints.kt")) shouldBe "shop.Endpoints.block(Endpoints.kt:31)"
        text(Frame("java.lang.Object", "wait0")) shouldBe "java.lang.Object.wait0()"
        text(Frame("shop.A$1", "<init>", 7)) shouldBe "shop.A$1.<init>(:7)"
        text(Frame("shop.A", "in (brackets)", file = "A B.kt")) shouldBe "shop.A.in (brackets)(A B.kt)"
    }

    @Test
    fun `what is no frame is refused`() {
        for (text in listOf("", "run", "Thread.run", "run()", "Thread.run(Thread.java:1")) {
            shouldThrow<SerializationException> { Json.decodeFromString(Frame.serializer(), "\"$text\"") }
        }
    }

    private fun text(frame: Frame): String {
        val written = Json.encodeToString(Frame.serializer(), frame)
        Json.decodeFromString(Frame.serializer(), written) shouldBe frame
        return written.removeSurrounding("\"")
    }
}
