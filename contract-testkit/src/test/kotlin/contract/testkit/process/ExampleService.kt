package threadgauge.contract.testkit.process

/** A service that gives its own number, and has nothing to do. */
internal object ExampleService {
    @JvmStatic
    fun main(arguments: Array<String>) {
        println("ready pid=${ProcessHandle.current().pid()} told=${arguments.joinToString(",")}")
        Thread.currentThread().join()
    }
}
