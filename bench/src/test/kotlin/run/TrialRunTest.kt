package threadgauge.run

import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.agent.Agents
import threadgauge.model.TrialState
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.report.exampleRecord
import threadgauge.run.launch.Services
import threadgauge.run.launch.Training
import threadgauge.store.RecordFolder
import threadgauge.store.RecordWriter
import threadgauge.target.Cores

@Tag("processes")
class TrialRunTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `a process that cannot be started ends its trial, and the run goes on`() {
        val begun = exampleRecord().run {
            val gone = plan.stacks.first().copy(folder = "$temporary/gone", keepsContract = false)
            copy(plan = plan.copy(stacks = listOf(gone)), trials = emptyList())
        }
        val folder = RecordFolder(temporary.resolve("run")).create()
        val told = ArrayList<RunEvent>()
        val cores = Cores(emptyList(), emptyList())
        val writer = RecordWriter(folder, begun)
        val context = RunContext(begun.plan, folder, writer, cores, MachineProbe(), Cancellation(), told::add)
        val planned = begun.plan.trials.first { it.stack == begun.plan.stacks.single().name }
        Services(emptyList(), cores, folder.logs).use { services ->
            ReferenceLoop {}.use { reference ->
                val training = Training(context, emptyList(), services)
                val surrounding = Surrounding(Agents(emptyList()), services, training, reference)
                context.attempt(PlannedBlock(listOf(planned)), surrounding) {
                    it.launch()
                    it.verify()
                    it.warmUp()
                    it.measure()
                    it.record()
                }
            }
        }
        val trial = writer.record.trials.single()
        trial.state shouldBe TrialState.FAILED
        (trial.failure as Failure.Target).fault.shouldBeInstanceOf<TargetFault.NotProbed>()
        told.last().shouldBeInstanceOf<RunEvent.TrialFailed>()
    }
}
