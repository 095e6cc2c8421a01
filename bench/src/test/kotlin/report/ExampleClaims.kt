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
import threadgauge.model.judgement.CheckOutcome
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.ClaimEvidence
import threadgauge.model.judgement.ClaimJudgement
import threadgauge.model.judgement.ClaimVerdict
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.Validity

/** The usual example with a claim of each verdict. All of it is invented. */
internal fun exampleWithClaims(): Example {
    val record = exampleRecord()
    return Example(record, exampleJudgement(record).copy(source = EXAMPLE_SOURCE, claims = exampleClaims()))
}

private val EXAMPLE_SOURCE = Source("A post on two servers", "Somebody", "2024", "200 users on one side & 5,000 on the other")

private fun exampleClaims(): List<ClaimJudgement> {
    val claim = Claim("fourteen-times", "WebFlux serves 14 times as much as MVC.", why = "The numbers of users were <not> the same.")
    return ClaimVerdict.entries.map { verdict ->
        val checks = when (verdict) {
            ClaimVerdict.CANNOT_TELL_HERE -> listOf(exampleNotMeasured())
            ClaimVerdict.DECIDED_BY_THE_SETTING -> listOf(exampleCheck(CheckOutcome.HOLDS, true), exampleCheck(CheckOutcome.FAILS, false))
            ClaimVerdict.REFUTED -> listOf(exampleCheck(CheckOutcome.FAILS, false))
            else -> listOf(exampleCheck(CheckOutcome.HOLDS, false))
        }
        val name = "${claim.name}-${verdict.name.lowercase().replace('_', '-')}"
        ClaimJudgement(claim.copy(name = name), verdict, "It is so in block, where 200 users ÷ 100 ms = 2,000/s.", checks)
    }
}

private fun exampleCheck(outcome: CheckOutcome, asPublished: Boolean): ClaimCheck {
    val (webflux, mvc) = ClaimCell("spring-webflux", "wait") to ClaimCell("spring-mvc", "block")
    return ClaimCheck(
        Statement(ClaimMeasure.THROUGHPUT, webflux, Relation.AT_LEAST, Bound.Times(14.0, mvc)), asPublished, outcome,
        "Found 21.3 times (20.1 to 22.6), claimed at least 14 times.", Figure(21.3, 20.1, 22.6, emptyList()),
        listOf(
            ClaimEvidence(
                webflux, PublishedFigure(ClaimMeasure.THROUGHPUT, webflux, 2709.7, 2709.7), Figure(4310.0, 4200.0, 4400.0, listOf(4310.0)),
                Validity.SUSPECT,
            ),
            ClaimEvidence(mvc, PublishedFigure(ClaimMeasure.THROUGHPUT, mvc, 150.0, 192.6), Figure(200.0, 200.0, 200.0, listOf(200.0))),
        ),
        if (asPublished) listOf(Ceiling(exampleCause(200, LimitedThing.USERS), 2000.0, reached = true)) else emptyList(), isForced = asPublished,
    )
}

private fun exampleNotMeasured(): ClaimCheck {
    val ktor = ClaimCell("ktor-netty")
    return ClaimCheck(
        Statement(ClaimMeasure.FIRST_COLLECTION, ktor, Relation.LESS, Bound.Value(60.0)), false, CheckOutcome.UNKNOWN,
        "Memory to the first collection: not measured by this experiment.", evidence = listOf(ClaimEvidence(ktor)),
    )
}
