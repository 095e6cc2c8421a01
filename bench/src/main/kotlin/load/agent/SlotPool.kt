package threadgauge.load.agent

import threadgauge.load.http.Slot

/**
 * The free slots of an open load, the last used first; opens more up to [limit], of which each target has its share.
 * Requests go to the targets in turn by their number. If all slots of a target are busy, the next target with a free
 * one takes the request.
 *
 * New slots are opened at a limited pace, unless [atOnce]. Otherwise a stall, during which requests pile up, would open
 * as many connections as allowed, and that takes longer than the stall itself. Requests without a slot wait, and keep
 * their intended time.
 *
 * Belongs to one event loop.
 */
internal class SlotPool(
    private val all: MutableList<Slot>,
    private val targets: Int,
    limit: Int,
    private val atOnce: Boolean,
    private val newSlot: (target: Int) -> Slot,
) {
    private val free = List(targets) { target -> ArrayDeque(all.filter { it.target == target }) }
    private val made = IntArray(targets) { free[it].size }
    private val most = List(targets) { limit / targets + if (it < limit % targets) 1 else 0 }

    private var sliceNanos = 0L
    private var openedInSlice = 0

    /** A free slot for request [number], or null. */
    fun take(number: Long, nowNanos: Long): Slot? {
        for (planned in 0..<targets) {
            val target = ((number + planned) % targets).toInt()
            val slot = free[target].removeLastOrNull()
            if (slot != null) return slot
            if (made[target] < most[target] && mayOpen(nowNanos)) {
                made[target]++
                return newSlot(target).also { all += it }
            }
        }
        return null
    }

    private fun mayOpen(nowNanos: Long): Boolean {
        if (nowNanos - sliceNanos >= PAUSE_NANOS) {
            sliceNanos = nowNanos
            openedInSlice = 0
        }
        return atOnce || openedInSlice++ < AT_A_TIME
    }

    /** Returns [slot] to the pool. */
    fun give(slot: Slot) = free[slot.target].addLast(slot)
}
