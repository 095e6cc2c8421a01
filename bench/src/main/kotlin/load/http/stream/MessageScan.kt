package threadgauge.load.http.stream

/** Finds the ends of messages in a body that arrives in pieces of any size. Belongs to one connection. */
internal interface MessageScan {
    /** Prepares for the next body. */
    fun clear()

    /** Reads [count] bytes of [bytes], from index [from]; how many messages ended in them. */
    fun feed(bytes: ByteArray, from: Int, count: Int): Int
}
