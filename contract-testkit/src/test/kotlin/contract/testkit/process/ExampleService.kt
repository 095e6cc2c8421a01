package threadgauge.contract.testkit.process

/** A service that prints its process id and its arguments, and does nothing else. */
internal object ExampleService {
    @JvmStatic
    fun main(arguments: Array<String>) {
        println("ready pid=${ProcessHandle.current().pid()} arguments=${arguments.joinToString(",")}")
        Thread.currentThread().join()
    }
}
