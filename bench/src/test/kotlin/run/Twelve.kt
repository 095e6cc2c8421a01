package threadgauge.run

import java.nio.file.Path

/** A coordinator of its own, to be killed: runs a block of twelve services in the folder that is its argument. */
fun main(arguments: Array<String>) {
    val block = TinyBlock(Path.of(arguments.single()))
    var alive = 0
    block.run(block.planOf((1..TWELVE).map { block.stackOf("s$it") }, isShort = true)) { event ->
        if (event is RunEvent.Booted && ++alive == TWELVE) {
            println(ALL_ALIVE)
            Thread.sleep(Long.MAX_VALUE)
        }
    }
}

internal const val TWELVE = 12
internal const val ALL_ALIVE = "all alive"
