package threadgauge.patients

import java.net.InetAddress
import java.net.spi.InetAddressResolver
import java.net.spi.InetAddressResolver.LookupPolicy
import java.net.spi.InetAddressResolverProvider
import java.net.spi.InetAddressResolverProvider.Configuration
import java.util.stream.Stream

/** Names of `patients.test` are found after 20 ms, all others as ever. */
class SlowNames : InetAddressResolverProvider() {
    override fun name() = "slow names"

    override fun get(configuration: Configuration): InetAddressResolver {
        val usual = configuration.builtinResolver()
        return object : InetAddressResolver {
            override fun lookupByName(host: String, policy: LookupPolicy): Stream<InetAddress> {
                if (!host.endsWith(".patients.test")) return usual.lookupByName(host, policy)
                Thread.sleep(20)
                return Stream.of(InetAddress.getByAddress(host, byteArrayOf(127, 0, 0, 1)))
            }

            override fun lookupByAddress(address: ByteArray): String = usual.lookupByAddress(address)
        }
    }
}
