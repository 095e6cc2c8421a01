package threadgauge.load.schedule

import kotlin.math.ceil
import kotlin.math.sqrt

/**
 * The intended times of an open load: a pure sequence, in closed form, without a clock.
 *
 * Arrival number `k`, counted from 0, is intended for [intendedNanos] after the start. The sequence never decreases.
 * [slice] cuts a schedule into slices, which together are the whole again.
 */
sealed interface Schedule {
    /** Number of arrivals. */
    val size: Long

    /** Length of the load in nanoseconds. Every arrival lies before its end, except that a burst has length 0. */
    val lengthNanos: Long

    /** Intended time of arrival [k], `0 <= k < size`, in nanoseconds after the start. */
    fun intendedNanos(k: Long): Long

    /** Every [of]-th arrival, beginning with number [index]. `0 <= index < of`. */
    fun slice(index: Int, of: Int): Schedule = if (of == 1) this else Slice(this, index, of)
}

/** [perSecond] arrivals per second, equally spaced: arrival `k` at `k / rate`. */
data class ConstantRate(val perSecond: Double, override val lengthNanos: Long) : Schedule {
    init {
        require(perSecond > 0 && lengthNanos > 0) { "a constant rate needs a positive rate and length" }
    }

    override val size = ceil(perSecond * lengthNanos / SECOND - TINY).toLong()

    override fun intendedNanos(k: Long) = (k * SECOND / perSecond).toLong()
}

/**
 * A rate that changes linearly from [fromPerSecond] to [toPerSecond].
 *
 * With rate `a + c t`, the number of arrivals until `t` is `a t + c t² / 2`. Solved for the time of arrival `k`, in the
 * form that keeps its digits when `c` is near zero: `t = 2 k / (a + √(a² + 2 c k))`.
 */
data class LinearRamp(val fromPerSecond: Double, val toPerSecond: Double, override val lengthNanos: Long) : Schedule {
    init {
        require(fromPerSecond >= 0 && toPerSecond >= 0 && fromPerSecond + toPerSecond > 0 && lengthNanos > 0) {
            "a ramp needs rates of 0 or more, not both 0, and a positive length"
        }
    }

    private val slope = (toPerSecond - fromPerSecond) / (lengthNanos / SECOND)

    override val size = ceil((fromPerSecond + toPerSecond) / 2 * lengthNanos / SECOND - TINY).toLong()

    override fun intendedNanos(k: Long): Long {
        if (k == 0L) return 0
        // Near the end of a ramp down to 0, rounding can make the radicand slightly negative.
        val root = sqrt(maxOf(0.0, fromPerSecond * fromPerSecond + 2 * slope * k))
        return (2 * k / (fromPerSecond + root) * SECOND).toLong().coerceAtMost(lengthNanos)
    }
}

/** All [size] arrivals at the start. */
data class Burst(override val size: Long) : Schedule {
    init {
        require(size > 0) { "a burst needs at least one request" }
    }

    override val lengthNanos = 0L

    override fun intendedNanos(k: Long) = 0L
}

private data class Slice(val whole: Schedule, val index: Int, val of: Int) : Schedule {
    init {
        require(index in 0..<of) { "slice $index of $of does not exist" }
    }

    override val size = (whole.size - index + of - 1) / of
    override val lengthNanos = whole.lengthNanos

    override fun intendedNanos(k: Long) = whole.intendedNanos(index + k * of)
}

private const val SECOND = 1e9

/**
 * Keeps `ceil` from counting one arrival too many when a product such as 0.1 × 30 is rounded to slightly more than a
 * whole number.
 */
private const val TINY = 1e-9
