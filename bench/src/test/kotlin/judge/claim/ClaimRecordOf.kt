package threadgauge.judge.claim

import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.judge.sampleOf
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.model.request.Request

/** A situation of so many users, whose requests take [millis] at least, and what stacks "a" and "b" served in it. */
internal class Asked(val name: String, val users: Int, val a: List<Double>, val b: List<Double>, val millis: Int = 0)

/** A sound record of [asked] whose experiment makes [claims]. */
internal fun recordOf(
    asked: List<Asked>, claims: List<Claim>, edit: (String, Sample) -> Sample = { _, sample -> sample },
): Record {
    val base = recordOf(mapOf("a" to asked.first().a, "b" to asked.first().b))
    val trials = base.trials.map { trial ->
        trial.copy(
            samples = asked.map { situation ->
                val rate = (if (trial.stack == "a") situation.a else situation.b)[trial.number - 1]
                edit(trial.stack, sampleOf(rate, situation.users, 50.0).copy(situation = situation.name))
            },
        )
    }
    val situations = asked.map {
        val path = if (it.millis > 0) "/delay/${it.millis}" else "/hello"
        Situation(it.name, "are examples", Request(path = path), Load.Users(it.users, FIVE_SECONDS))
    }
    val plan = base.plan.copy(experiment = base.plan.experiment.copy(situations = situations, claims = claims))
    return base.copy(plan = plan, trials = trials)
}

/** About so many per second, in five trials that differ by about 1 %. */
internal fun about(perSecond: Double) = listOf(0.99, 1.0, 1.01, 1.005, 0.995).map { it * perSecond }

/** As [about], and not in step with it: what is high there is low here. */
internal fun elsewhere(perSecond: Double) = listOf(1.005, 0.99, 0.995, 1.0, 1.01).map { it * perSecond }

/** a in [left] serves at least [factor] times what b in [right] serves. */
internal fun atLeast(factor: Double, left: String, right: String = left) = Statement(
    ClaimMeasure.THROUGHPUT, ClaimCell("a", left), Relation.AT_LEAST, Bound.Times(factor, ClaimCell("b", right)),
)

internal fun claimOf(vararg corrected: Statement, asPublished: List<Statement> = emptyList()) =
    Claim("c", "It is so.", asPublished, corrected.toList())

internal fun Record.verdict(): ClaimVerdict = judge(this).claims.single().verdict

private const val FIVE_SECONDS = 5_000_000_000
