package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal

/**
 * [detected], unless it says that it is no column wide, as the terminals of some containers and recorders do: what is
 * wrapped into nothing cannot be read.
 */
internal fun readable(detected: Terminal): Terminal =
    if (detected.size.width > 0) detected else Terminal(width = USUAL_WIDTH)

private const val USUAL_WIDTH = 80
