package threadgauge.probe.profile.pool

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import java.lang.management.ManagementFactory
import javax.management.Attribute
import javax.management.AttributeList
import javax.management.AttributeNotFoundException
import javax.management.DynamicMBean
import javax.management.MBeanInfo
import javax.management.MBeanServerFactory
import javax.management.ObjectName
import org.junit.jupiter.api.Test
import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

class PoolReaderTest {
    private val server = MBeanServerFactory.newMBeanServer()
    private val reader = PoolReader(server)

    @Test
    fun `pools of Tomcat and Hikari have means of what is in use`() {
        val tomcat = register(
            "Tomcat:type=ThreadPool,name=\"http-nio-8080\"", "currentThreadsBusy" to 10, "maxThreads" to 200,
        )
        val hikari = register(
            "com.zaxxer.hikari:type=Pool (main)", "ActiveConnections" to 4, "TotalConnections" to 5,
            "ThreadsAwaitingConnection" to 0,
        )
        register("com.zaxxer.hikari:type=PoolConfig (main)", "MaximumPoolSize" to 10)
        reader.find()
        reader.read()
        tomcat["currentThreadsBusy"] = 20
        hikari["ThreadsAwaitingConnection"] = 3
        reader.read()
        reader.pools() shouldContainExactlyInAnyOrder listOf(
            Pool("http-nio-8080", PoolKind.TOMCAT_THREADS, 200, 15.0),
            Pool("main", PoolKind.HIKARI, 10, 4.0, 1.5),
        )
    }

    @Test
    fun `without pools there are none, and a bean that reports nothing is none`() {
        register("Tomcat:type=ThreadPool,name=\"http-nio-8080\"", "maxThreads" to 200)
        reader.find()
        reader.read()
        reader.pools().shouldBeEmpty()
    }

    @Test
    fun `carriers count once there are virtual threads`() {
        Thread.ofVirtual().start { }.join()
        val own = PoolReader(ManagementFactory.getPlatformMBeanServer())
        own.find()
        own.read()
        own.pools().map { it.kind } shouldContain PoolKind.CARRIERS
    }

    private fun register(name: String, vararg values: Pair<String, Int>): HashMap<String, Int> =
        hashMapOf(*values).also { server.registerMBean(Values(it), ObjectName(name)) }

    /** A bean whose attributes are [values]. */
    private class Values(private val values: Map<String, Int>) : DynamicMBean {
        override fun getAttribute(name: String): Any = values[name] ?: throw AttributeNotFoundException(name)

        override fun getAttributes(names: Array<String>) =
            AttributeList(names.filter { it in values }.map { Attribute(it, values[it]) })

        override fun setAttribute(attribute: Attribute) = Unit

        override fun setAttributes(attributes: AttributeList) = AttributeList()

        override fun invoke(name: String, arguments: Array<Any>?, signature: Array<String>?): Any? = null

        override fun getMBeanInfo() = MBeanInfo(javaClass.name, null, null, null, null, null)
    }
}
