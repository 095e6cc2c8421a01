package threadgauge.judge.cause

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.profile.Trace

class PlaceTest {
    @Test
    fun `the user's frame nearest to the wait, what it called, and who called it from another file`() {
        val place = place(
            "java.lang.Thread.sleep", "threadgauge.server.work.WaitsKt.blockThread(Waits.kt:10)",
            "threadgauge.server.webflux.Endpoints.block(Endpoints.kt:36)", "reactor.core.publisher.Mono.subscribe",
        )!!
        place.position shouldBe "Waits.kt:10"
        place.isOwn shouldBe true
        place.calls!!.method shouldBe "sleep"
        place.calledFrom!!.line shouldBe 36
    }

    @Test
    fun `classes that a framework makes are not the user's`() {
        val generated = "shop.Shop$\$SpringCGLIB$\$0.order(<generated>)"
        place("java.lang.Thread.sleep", generated, "shop.Shop.order(Shop.kt:44)")!!.position shouldBe "Shop.kt:44"
    }

    @Test
    fun `without code of the user the library's frame, and nothing of the JDK`() {
        val library = "io.netty.buffer.PoolArena.allocate(PoolArena.java:5)"
        val place = place("java.util.HashMap.get", library, "java.lang.Thread.run")!!
        place.isOwn shouldBe false
        place.position shouldBe "PoolArena.java:5"
        place("java.lang.Thread.sleep", "java.lang.Thread.run").shouldBeNull()
    }

    private fun place(vararg frames: String) = placeOf(Trace(frames.map(::frameOf)))
}
