package threadgauge.report.ci

import threadgauge.model.Record
import threadgauge.model.judgement.Judgement

/** A run with its judgement, and where its report is, as a path that a reader of a build's log can follow. */
class JudgedRun(val record: Record, val judgement: Judgement, val report: String)
