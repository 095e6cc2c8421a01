package threadgauge.judge.cause

import threadgauge.model.judgement.cause.ThreadRole

/** Names that frameworks give their threads, with `#` for digits. The first that fits decides. */
internal object ThreadRoleNames {
    fun roleOf(name: String, hasVirtual: Boolean): ThreadRole? {
        val role = NAMES.firstOrNull { it.first.containsMatchIn(name) }?.second
        // Pools of tasks use the same class, and the same names.
        return if (role == ThreadRole.CARRIER && !hasVirtual) ThreadRole.BLOCKING_POOL else role
    }

    private val NAMES = listOf(
        "^(main|DestroyJavaVM|server|container-#)$" to ThreadRole.OTHER,
        "^(C# CompilerThre|GC Thread|G# |VM |Reference Handl|Finalizer|Signal Dispatch|Common-Cleaner)" to
            ThreadRole.JVM,
        "^(Service Thread|Monitor Deflati|Notification Th|Attach Listener|Sweeper thread|JFR |RMI |JMX )" to
            ThreadRole.JVM,
        "^(ZWorker|XWorker|ZDriver|XDriver|Shenandoah|ParGC)" to ThreadRole.JVM,
        "^(Read-Poller|Write-Poller|.*-Acceptor|.*-Poller|Catalina-utility|VirtualThread-unp)" to ThreadRole.OTHER,
        "^(VirtualThread-unblocker|MasterPoller|scheduling-#)" to ThreadRole.OTHER,
        "^(https?-(jsse-|openssl-)?(nio#?|apr)-|ajp-|tomcat-exec|qtp#|XNIO-# task|executor-thread-#|default task-#)" to
            ThreadRole.REQUEST,
        "^(dw-#|HTTP-Dispatcher|grizzly-http-server)" to ThreadRole.REQUEST,
        "(EventLoop|eventloop|eventLoopGroup|^reactor-(http|tcp)-|^XNIO-# I/O|^armeria-common-worker)" to
            ThreadRole.EVENT_LOOP,
        "^ForkJoinPool-#-worker-#" to ThreadRole.CARRIER,
        "^(ForkJoinPool.commonPool-worker|boundedElastic-#|DefaultDispatcher-worker-#|vert.x-worker-thread|task-#)" to
            ThreadRole.BLOCKING_POOL,
        "^(pool-#-thread-#|io-executor-thread|OkHttp Dispatcher)" to ThreadRole.BLOCKING_POOL,
    ).map { (pattern, role) -> Regex(pattern) to role }
}
