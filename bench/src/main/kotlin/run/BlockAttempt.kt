package threadgauge.run

import threadgauge.model.plan.TurnsReason
import threadgauge.store.RecordNotWritten

/**
 * Runs [steps] on the trials that are [planned] together, and records the outcome. A server's failure ends only its own
 * trial; every other failure is thrown.
 */
internal fun RunContext.attempt(
    planned: PlannedBlock,
    surrounding: Surrounding,
    steps: (BlockRun) -> Unit,
) = cancellation.using(BlockRun(this, surrounding, planned)) { block ->
    try {
        steps(block)
    } catch (failure: RecordNotWritten) {
        throw failure
    } catch (failure: NoRoom) {
        writer.inTurns(failure.why)
        tell(RunEvent.InTurns(failure.why))
    } catch (failure: Exception) {
        throw block.ended(failure)
    }
}

/** The processes of a block cannot be alive together. */
internal class NoRoom(val why: TurnsReason) : Exception()
