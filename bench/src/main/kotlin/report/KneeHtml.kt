package threadgauge.report

import threadgauge.model.KneeJudgement
import threadgauge.model.Record

fun kneeHtmlReport(record: Record, judgement: KneeJudgement): String = record.id + judgement.words
