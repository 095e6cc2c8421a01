package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Trace

/** Tells the user's code from that of libraries, by the beginning of a class's name. */
internal object LibraryCode {
    fun isOwn(frame: Frame): Boolean =
        !isJdk(frame) && LIBRARIES.none { frame.type.startsWith(it) } && GENERATED.none { it in frame.type }

    fun isJdk(frame: Frame): Boolean = JDK.any { frame.type.startsWith(it) }

    private val JDK = listOf("java.", "javax.", "jdk.", "sun.", "com.sun.")

    /** Classes that a framework makes around the user's, whose lines nobody wrote. */
    private val GENERATED = listOf("$\$SpringCGLIB$$", "$\$EnhancerBy", "$\$FastClass", "$\$Lambda", "\$Proxy")

    private val LIBRARIES = listOf(
        "akka.", "arrow.", "brave.", "ch.qos.logback.", "clojure.", "com.datastax.", "com.fasterxml.",
        "com.github.benmanes.caffeine.", "com.google.common.", "com.google.gson.", "com.google.inject.",
        "com.google.protobuf.", "com.hazelcast.", "com.linecorp.armeria.", "com.mchange.", "com.microsoft.sqlserver.",
        "com.mongodb.", "com.mysql.", "com.netflix.", "com.rabbitmq.", "com.squareup.", "com.zaxxer.", "feign.",
        "graphql.", "groovy.", "io.agroal.", "io.github.resilience4j.", "io.grpc.", "io.helidon.", "io.ktor.",
        "io.lettuce.", "io.micrometer.", "io.micronaut.", "io.netty.", "io.opentelemetry.", "io.prometheus.",
        "io.quarkus.", "io.r2dbc.", "io.reactivex.", "io.smallrye.", "io.undertow.", "io.vertx.", "jakarta.",
        "kotlin.", "kotlinx.", "net.bytebuddy.", "okhttp3.", "okio.", "one.profiler.", "oracle.", "org.apache.",
        "org.aspectj.", "org.codehaus.", "org.eclipse.", "org.glassfish.", "org.h2.", "org.hibernate.", "org.hsqldb.",
        "org.http4k.", "org.jboss.", "org.jctools.", "org.jdbi.", "org.jetbrains.exposed.", "org.jooq.",
        "org.mariadb.", "org.postgresql.", "org.reactivestreams.", "org.redisson.", "org.slf4j.",
        "org.springframework.", "org.thymeleaf.", "org.wildfly.", "org.xnio.", "org.yaml.", "reactor.",
        "redis.clients.", "retrofit2.", "rx.", "scala.", "software.amazon.", "tools.jackson.",
    )
}

/**
 * The frame of the user's code that is nearest to the top of [trace]; without any, the first frame outside the JDK.
 * Null where all of it is the JDK's. Frames before the index [from] do not count.
 */
internal fun placeOf(trace: Trace, from: Int = 0): CodePlace? {
    val frames = trace.frames
    val rest = from..frames.lastIndex
    val own = rest.firstOrNull { LibraryCode.isOwn(frames[it]) }
    val at = own ?: rest.firstOrNull { !LibraryCode.isJdk(frames[it]) } ?: return null
    val caller = frames.drop(at).firstOrNull { LibraryCode.isOwn(it) && it.isElsewhere(frames[at]) }
    return CodePlace(frames[at], isOwn = own != null, calls = frames.getOrNull(at - 1), calledFrom = caller)
}

private fun Frame.isElsewhere(other: Frame) =
    if (file != null && other.file != null) file != other.file else type.outer != other.type.outer

private val String.outer get() = substringBefore('$')
