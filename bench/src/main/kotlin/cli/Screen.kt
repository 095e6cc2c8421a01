package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal

/**
 * [detected], unless its width is 0, as in some containers and recorders: text wrapped to that width is unreadable.
 */
internal fun readable(detected: Terminal): Terminal =
    if (detected.size.width > 0) detected else Terminal(width = USUAL_WIDTH)

private const val USUAL_WIDTH = 80
