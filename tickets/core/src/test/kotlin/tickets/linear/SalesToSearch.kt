package threadgauge.tickets.linear

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.batch.BatchStrategy
import threadgauge.tickets.gate.GatedSale

class Batched {
    private val strategy =
        BatchStrategy(InstantLedger(SEATS), CoroutineScope(Dispatchers.Default), BatchSettings(maxBatch = 2))

    @Operation
    fun reserve(
        @Param(gen = IntGen::class, conf = "1:4") key: Int,
        @Param(gen = IntGen::class, conf = "1:2") seats: Int,
    ): String = runBlocking { describe(strategy.reserve(request(key, seats))) }
}

class Gated {
    private val ledger = InstantLedger(SEATS)
    private val sale = GatedSale(InstantGate(), ledger)

    @Operation
    fun reserve(
        @Param(gen = IntGen::class, conf = "1:4") key: Int,
        @Param(gen = IntGen::class, conf = "1:2") seats: Int,
    ): String = runBlocking { describe(sale.sell(request(key, seats))) }

    /** The gate does not learn of this release. */
    @Operation
    fun release(@Param(gen = IntGen::class, conf = "1:4") key: Int): Boolean = ledger.release(key)
}

/** The published steps, each of which is atomic. */
class Naive {
    private val left = AtomicInteger(SEATS)
    private val known = ConcurrentHashMap<Int, Int>()

    @Operation
    fun reserve(
        @Param(gen = IntGen::class, conf = "1:4") key: Int,
        @Param(gen = IntGen::class, conf = "1:2") seats: Int,
    ): String {
        known[key]?.let { return if (it == seats) AGAIN else TAKEN }
        val before = left.get()
        if (seats > before) return TOO_FEW
        Thread.yield()
        known[key] = seats
        left.set(before - seats)
        return GRANTED
    }
}
