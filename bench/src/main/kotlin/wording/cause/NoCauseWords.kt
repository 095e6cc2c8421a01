package threadgauge.wording.cause

import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason

/** That no cause is known, why, and how to mend it. */
internal val NoProfile.words: String
    get() = "no cause is known: " + when (reason) {
        NoProfileReason.NO_PROCESS ->
            "its process cannot be seen from here. Run threadgauge on the machine of the service, as its user or root"
        NoProfileReason.NOT_A_JVM -> "it is no JVM, and only a JVM tells what it does"
        NoProfileReason.NETWORK_OF_ITS_OWN ->
            "a JVM tells what it does within its own network alone, and its container has one. Leave out the port of " +
                "the container, which then shares the network of this machine"
        NoProfileReason.REFUSED ->
            "its JVM refuses to be observed${detail?.let { " ($it)" }.orEmpty()}. It must run as the same user, with " +
                "the module jdk.management.agent, and without -XX:+DisableAttachMechanism"
        NoProfileReason.TOO_OLD -> "it runs on Java $detail, and only Java 17 or newer tells what it does"
        NoProfileReason.TOO_SHORT -> "its load was too short for that. A load of 2 s is enough"
        NoProfileReason.UNEVEN -> "no part of its load is like the whole, as of a burst, a ramp or steps"
        NoProfileReason.NO_TIME -> "within the time limit there was no time left for that"
        NoProfileReason.NO_ANSWERS -> "in the load for it no request was answered correctly"
    }
