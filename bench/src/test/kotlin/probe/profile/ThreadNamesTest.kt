package threadgauge.probe.profile

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ThreadNamesTest {
    @Test
    fun `names that differ in digits only are one group`() {
        groupOf("http-nio-8080-exec-12") shouldBe "http-nio-#-exec-#"
        groupOf("main") shouldBe "main"
        groupOfVirtual("tomcat-handler-7") shouldBe "tomcat-handler-#"
        groupOfVirtual("") shouldBe "virtual"
        groupOfVirtual(null) shouldBe "virtual"
    }

    @Test
    fun `threads of the JVM are known by their names, also as the kernel cuts them`() {
        val own = listOf(
            "C2 CompilerThre", "C1 CompilerThread0", "GC Thread#1", "G1 Conc#0", "VM Thread", "VM Periodic Tas",
            "Signal Dispatcher", "Reference Handler", "JFR Periodic Tasks", "RMI TCP Connection(2)-127.0.0.1",
            "JMX server connection timeout 31", "Attach Listener",
        )
        own.filterNot(::isOfJvm) shouldBe emptyList()
        for (name in listOf("main", "http-nio-8080-exec-1", "reactor-http-epoll-1", "ForkJoinPool-1-worker-1")) {
            isOfJvm(name) shouldBe false
        }
    }

    @Test
    fun `hidden classes have no address in their names`() {
        plainType("shop.Shop$\$Lambda/0x00007f8c") shouldBe "shop.Shop$\$Lambda"
        plainType("shop.Shop$\$Lambda.0x00007f8c/12") shouldBe "shop.Shop$\$Lambda"
        plainType("shop.Shop0x") shouldBe "shop.Shop0x"
    }
}
