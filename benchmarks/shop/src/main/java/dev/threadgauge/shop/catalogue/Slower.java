package dev.threadgauge.shop.catalogue;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** What makes a build slower: SHOP_SLOWER_MICROS of CPU time, or 0. A loop, because a pause would cost no CPU. */
@Component
class Slower {
    private final long nanos;

    Slower(@Value("${shop.slower-micros:0}") long micros) {
        nanos = micros * 1_000;
    }

    void spin() {
        if (nanos == 0) return;
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) Thread.onSpinWait();
    }
}
