package threadgauge.report

import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Source
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimReason
import threadgauge.model.judgement.claim.ClaimVerdict

/** The usual example with a claim of each verdict. All of it is invented. */
internal fun exampleWithClaims(): Example {
    val record = exampleRecord()
    return Example(record, exampleJudgement(record).copy(source = EXAMPLE_SOURCE, claims = exampleClaims()))
}

private val EXAMPLE_SOURCE =
    Source("A post on two servers", "Somebody", "2024", "200 users on one side & 5,000 on the other")

private fun exampleClaims(): List<ClaimJudgement> {
    val why = "The numbers of users were <not> the same."
    val claim = Claim("fourteen-times", "WebFlux serves 14 times as much as MVC.", why = why)
    return ClaimVerdict.entries.map { verdict ->
        val (reason, checks) = when (verdict) {
            ClaimVerdict.CONFIRMED, ClaimVerdict.CONFIRMED_WITHIN_A_RANGE ->
                ClaimReason.Holds(listOf(0)) to listOf(exampleCheck(CheckOutcome.HOLDS, false))
            ClaimVerdict.REFUTED -> ClaimReason.Fails(listOf(0)) to listOf(exampleCheck(CheckOutcome.FAILS, false))
            ClaimVerdict.DECIDED_BY_THE_SETTING -> ClaimReason.ExplainedBySetting(listOf(0), listOf(1)) to
                listOf(exampleCheck(CheckOutcome.HOLDS, true), exampleCheck(CheckOutcome.FAILS, false))
            ClaimVerdict.CANNOT_TELL_HERE -> ClaimReason.Unknown(listOf(0)) to listOf(exampleNotMeasured())
        }
        val name = "${claim.name}-${verdict.name.lowercase().replace('_', '-')}"
        ClaimJudgement(claim.copy(name = name), verdict, reason, checks)
    }
}

private fun exampleCheck(outcome: CheckOutcome, asPublished: Boolean): ClaimCheck {
    val (webflux, mvc) = ClaimCell("spring-webflux", "wait") to ClaimCell("spring-mvc", "block")
    return ClaimCheck(
        Statement(ClaimMeasure.THROUGHPUT, webflux, Relation.AT_LEAST, Bound.Times(14.0, mvc)), asPublished, outcome,
        CheckFinding.Found, Figure(21.3, 20.1, 22.6, emptyList()),
        listOf(
            ClaimEvidence(
                webflux, PublishedFigure(ClaimMeasure.THROUGHPUT, webflux, 2709.7, 2709.7),
                Figure(4310.0, 4200.0, 4400.0, listOf(4310.0)), Validity.SUSPECT,
            ),
            ClaimEvidence(
                mvc, PublishedFigure(ClaimMeasure.THROUGHPUT, mvc, 150.0, 192.6),
                Figure(200.0, 200.0, 200.0, listOf(200.0)),
            ),
        ),
        if (asPublished) {
            listOf(Ceiling(exampleCause(200, LimitedThing.USERS), 2000.0, reached = true))
        } else {
            emptyList()
        },
        isForced = asPublished,
    )
}

private fun exampleNotMeasured(): ClaimCheck {
    val ktor = ClaimCell("ktor-netty")
    return ClaimCheck(
        Statement(ClaimMeasure.FIRST_COLLECTION, ktor, Relation.LESS, Bound.Value(60.0)), false, CheckOutcome.UNKNOWN,
        CheckFinding.NoRest, evidence = listOf(ClaimEvidence(ktor)),
    )
}
