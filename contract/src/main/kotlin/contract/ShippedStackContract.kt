package threadgauge.contract

import java.net.URI

/**
 * [StackContract] for a stack of this repository, as a process of its own: name, model and arguments are those of its
 * `stacks.yaml`, so that what is tested is what is shipped. [main] is the fully qualified name of the class with `main`.
 */
abstract class ShippedStackContract private constructor(
    main: String,
    stack: ShippedStack,
    exemptions: Map<String, String>,
) : StackContract(stack.name, stack.model, exemptions) {
    constructor(main: String, stack: String, exemptions: Map<String, String> = emptyMap()) :
        this(main, ShippedStack.read(stack), exemptions)

    private val server = ServerProcess(main, stack)

    override fun start(): URI = server.start()

    override fun stop() = server.stop()
}
