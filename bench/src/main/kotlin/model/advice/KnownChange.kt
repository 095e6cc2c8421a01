package threadgauge.model.advice

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A change of a service that may make it faster: an entry of the catalogue of changes. */
@Serializable
data class KnownChange(
    /** In lower case with hyphens, unique in a catalogue. */
    val id: String,
    /** What is changed, such as "Virtual threads in Spring Boot". */
    val title: String,
    /** The resource of which the change makes more, or which it takes out of the way. */
    val resource: LimitedResource,
    val effect: ChangeEffect,
    /** How a service is known for which this change exists. */
    val evidence: Evidence = Evidence(),
    /** Size of the resource where nobody changed it and the process does not tell it; null where there is none. */
    val usual: Int? = null,
    /** The oldest Java with it; null where any will do. */
    val minJava: Int? = null,
    /** How it is carried out without touching code; null where [code] is the only way. */
    val setting: ChangeSetting? = null,
    /** What to do in the code; null where [setting] is enough. */
    val code: String? = null,
    /** What else to know before doing it. */
    val note: String? = null,
    /** Address of the documentation that says so. */
    val source: String,
)

/** What must be seen of a process. All parts that are not null must be. */
@Serializable
data class Evidence(
    /** Regular expression that the name of a group of threads contains. */
    val threads: String? = null,
    /** Beginnings of class names, of which one must be in a stack trace. */
    val classes: List<String> = emptyList(),
    /** Regular expression that the name of the resource contains, such as that of a pool or of a lock. */
    val of: String? = null,
)

/** What a change does to its resource. */
@Serializable
sealed interface ChangeEffect {
    /** So many times as much of it, a whole number at least. */
    @Serializable
    @SerialName("times")
    data class Times(val factor: Double) : ChangeEffect

    /** No limit any more. */
    @Serializable
    @SerialName("no-limit")
    data object NoLimit : ChangeEffect

    /** What blocks moves to [threads] threads of another pool. */
    @Serializable
    @SerialName("elsewhere")
    data class Elsewhere(val threads: Int) : ChangeEffect

    /** Nothing waits for it any more, at best. */
    @Serializable
    @SerialName("gone")
    data object Gone : ChangeEffect

    /** It may help or harm: only measuring tells. */
    @Serializable
    @SerialName("unknown")
    data object Unknown : ChangeEffect
}

/** How a change is carried out by configuration. [value] may contain `{value}`, the new size of the resource. */
@Serializable
data class ChangeSetting(val kind: SettingKind, val name: String, val value: String = VALUE) {
    /** The setting as a user types it, with [size] as the new size: `-Djdk.example=20`. */
    fun text(size: String): String = kind.text(name, value.replace(VALUE, size))

    companion object {
        const val VALUE = "{value}"
    }
}

/** Kinds of configuration, with what a user types. */
@Serializable
enum class SettingKind(val text: (name: String, value: String) -> String) {
    /** A system property of the JVM. */
    PROPERTY({ name, value -> "-D$name=$value" }),

    /** An option of the JVM, with the value right behind its name. */
    JVM({ name, value -> "$name$value" }),

    /** A property of Spring Boot, which reads it from files, variables, system properties and arguments. */
    SPRING({ name, value -> "$name=$value" }),

    /** An argument of the program. */
    ARGUMENT({ name, value -> "$name=$value" }),

    /** A variable of the environment. */
    ENVIRONMENT({ name, value -> "$name=$value" }),
}

/** What may limit throughput. */
@Serializable
enum class LimitedResource {
    /** Users of a closed load. */
    USERS,

    /** The arrival rate of an open load. */
    ARRIVALS,
    PROCESSOR,

    /** Each serves one request at a time. */
    REQUEST_THREADS,

    /** Pools to which requests hand blocking calls. */
    TASK_THREADS,
    EVENT_LOOPS,

    /** Of virtual threads. */
    CARRIERS,

    /** Of a client or a database. */
    CONNECTIONS,
    LOCK,

    /** Stops of all threads, and CPU time, for garbage collection. */
    COLLECTOR,
    NAME_LOOKUPS,

    /** Connections that the server accepts. */
    ACCEPTED_CONNECTIONS,
}
