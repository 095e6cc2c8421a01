package threadgauge.model.judgement.map

import kotlinx.serialization.Serializable
import threadgauge.model.ConcurrencyModel
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.judgement.advice.ServiceLimit

/**
 * Where a service lies on a map for one of its requests, and what another model is predicted to bring. Derived from the
 * record of the service and that of the map.
 */
@Serializable
data class MapPlacement(
    /** The record of the service. */
    val recordId: String,
    /** The record of the map. */
    val mapId: String,
    val stack: String,
    /** The load that shows best what holds it. */
    val situation: String,
    /** Requests that are under way at a time: its place on the axis of users. */
    val users: Int,
    /** How long a request waits for what is not the service itself, in milliseconds: its place on the other axis. */
    val waitMillis: Double,
    /** CPU time of a request on all its cores, in microseconds; null where unknown. */
    val cpuMicros: Double?,
    val model: ConcurrencyModel,
    /** The part of [waitMillis] during which an event loop, or a carrier of virtual threads, is blocked. */
    val blockedMillis: Double,
    /** As measured, not as profiled. */
    val now: Operation,
    /** Limits that stay with any model, such as a pool of connections, the lowest first. */
    val limits: List<ServiceLimit>,
    /** It lies within what the map measured. */
    val isWithin: Boolean,
    /** The measured place that is nearest to it. */
    val nearest: MapPlace,
    /** The stack of the map whose model is that of the service; null where none is. */
    val like: String?,
    /** To each other stack of the map whose numbers are known, the most throughput first. */
    val moves: List<MapMove>,
    /** The map is of another processor, or of another number of cores. */
    val isOtherMachine: Boolean,
)

/** What it is predicted to come to if the same work is done as [stack] does it. */
@Serializable
data class MapMove(
    val stack: String,
    val title: String,
    val model: ConcurrencyModel,
    val prediction: Prediction,
    /** What that is beside what it does now. */
    val gain: Gain,
    /** What then limits it; null where nothing is known to. */
    val limit: ServiceLimit?,
)

/** Whether a change brings throughput. */
@Serializable
enum class Gain { MORE, NONE, LESS }
