package threadgauge.checks.bad.judge

import java.nio.file.Files
import java.nio.file.Path
import threadgauge.checks.bad.target.KnowsTheAgentsInside

/** A judge that goes and looks for itself. */
class OpensAFile {
    fun size(path: Path) = Files.size(path)
    fun target() = KnowsTheAgentsInside()
}
