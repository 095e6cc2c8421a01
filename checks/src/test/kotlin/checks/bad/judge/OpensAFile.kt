package threadgauge.checks.bad.judge

import threadgauge.checks.bad.target.KnowsTheAgentsInside
import java.nio.file.Files
import java.nio.file.Path

/** A judge that goes and looks for itself. */
class OpensAFile {
    fun size(path: Path) = Files.size(path)
    fun target() = KnowsTheAgentsInside()
}
