package threadgauge.plan.command

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.SettingKind

class ChangedStackTest {
    private val pool = ChangeSetting(SettingKind.SPRING, "spring.datasource.hikari.maximum-pool-size")
    private val loops = ChangeSetting(SettingKind.PROPERTY, "reactor.netty.ioWorkerCount")

    @Test
    fun `options of the JVM stand behind those that are there, before the jar, the class or the source file`() {
        command(loops, "{java}", "-jar", "shop.jar", "--a=b") shouldContainExactly
            listOf("{java}", "-Dreactor.netty.ioWorkerCount=20", "-jar", "shop.jar", "--a=b")
        val heap = ChangeSetting(SettingKind.JVM, "-Xmx", "{value}m")
        command(heap, "/jdk/bin/java", "-Xmx10m", "-cp", "a:b", "shop.Main") shouldContainExactly
            listOf("/jdk/bin/java", "-Xmx10m", "-cp", "a:b", "-Xmx20m", "shop.Main")
        command(loops, "java", "Shop.java", "-x") shouldContainExactly
            listOf("java", "-Dreactor.netty.ioWorkerCount=20", "Shop.java", "-x")
    }

    @Test
    fun `a script gets them by the variable that every launcher of Java reads, with what is there already`() {
        changed(loops, "./shop.sh").environment shouldContainExactly
            mapOf("JDK_JAVA_OPTIONS" to "-Dreactor.netty.ioWorkerCount=20")
        stack("./shop.sh").copy(environment = mapOf("JDK_JAVA_OPTIONS" to "-Xmx1g")).changedBy(loops, "20") { "-Dx" }
            .environment shouldContainExactly mapOf("JDK_JAVA_OPTIONS" to "-Xmx1g -Dreactor.netty.ioWorkerCount=20")
        stack("./shop.sh").changedBy(loops, "20") { "-Dx" }.environment shouldContainExactly
            mapOf("JDK_JAVA_OPTIONS" to "-Dx -Dreactor.netty.ioWorkerCount=20")
    }

    @Test
    fun `a property of Spring is a system property, an argument in place of one, or a variable`() {
        command(pool, "java", "-jar", "shop.jar") shouldContainExactly
            listOf("java", "-Dspring.datasource.hikari.maximum-pool-size=20", "-jar", "shop.jar")
        val argument = "--spring.datasource.hikari.maximum-pool-size"
        command(pool, "java", "-jar", "shop.jar", "$argument=10") shouldContainExactly
            listOf("java", "-jar", "shop.jar", "$argument=20")
        changed(pool, "./shop.sh").environment shouldContainExactly
            mapOf("SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE" to "20")
    }

    @Test
    fun `arguments and variables are replaced or added`() {
        val group = ChangeSetting(SettingKind.ARGUMENT, "-P:ktor.deployment.callGroupSize")
        command(group, "java", "-jar", "shop.jar") shouldContainExactly
            listOf("java", "-jar", "shop.jar", "-P:ktor.deployment.callGroupSize=20")
        command(group, "java", "-jar", "shop.jar", "-P:ktor.deployment.callGroupSize=4", "x") shouldContainExactly
            listOf("java", "-jar", "shop.jar", "-P:ktor.deployment.callGroupSize=20", "x")
        val variable = ChangeSetting(SettingKind.ENVIRONMENT, "SHOP_POOL", "{value},{value}")
        val before = stack("java").copy(environment = mapOf("SHOP_POOL" to "1", "B" to "c"))
        before.changedBy(variable, "20").environment shouldBe mapOf("SHOP_POOL" to "20,20", "B" to "c")
    }

    private fun command(setting: ChangeSetting, vararg words: String) = changed(setting, *words).command

    private fun changed(setting: ChangeSetting, vararg words: String) = stack(*words).changedBy(setting, "20") { null }

    private fun stack(vararg words: String) =
        Stack("shop", "Shop", ConcurrencyModel.UNKNOWN, "your own", words.toList(), ".", keepsContract = false)
}
