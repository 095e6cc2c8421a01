package threadgauge.wording.failure

import threadgauge.model.failure.ContainerFault

/** Completes "the service failed: …". */
internal fun ContainerFault.words(): String = when (this) {
    is ContainerFault.NoEngine ->
        "no engine for containers was found to start $image (${programs.joinToString()}); install one of them, or " +
            "start the container yourself and give its url"
    is ContainerFault.EngineSilent ->
        "$program is installed, and its engine cannot be used ($detail); start the engine, or allow this user to use it"
    is ContainerFault.NoImage ->
        "${programs.joinToString(" and ")} ${if (programs.size == 1) "has" else "have"} no image $image; fetch it " +
            "first: ${programs.first()} pull $image"
    is ContainerFault.NoSharedNetwork ->
        "$program does not give containers the network of this machine; name the port on which $image serves, such " +
            "as port: 8080"
    is ContainerFault.NoAddress ->
        "$program gives $image no address at which another container reaches it; leave out the port of the container " +
            "that asks, or run the engine as root"
}
