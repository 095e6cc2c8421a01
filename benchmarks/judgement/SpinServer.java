import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * A server of known cost: every request makes one thread do a fixed number of rounds of arithmetic that no compiler can leave
 * out. Twice the rounds are twice the work, on any machine. Arguments: port, thousands of rounds per request, and the address to listen on,
 * which is 127.0.0.1 unless it is given.
 */
public class SpinServer {
    public static void main(String[] arguments) throws Exception {
        long rounds = Long.parseLong(arguments[1]) * 1_000;
        String address = arguments.length > 2 ? arguments[2] : "127.0.0.1";
        var server = HttpServer.create(new InetSocketAddress(address, Integer.parseInt(arguments[0])), 1_000);
        server.setExecutor(Executors.newSingleThreadExecutor());
        server.createContext("/", exchange -> {
            // Xorshift (Marsaglia, Journal of Statistical Software 8, 2003): each round needs the one before, and none can be folded.
            long x = exchange.hashCode() | 1;
            for (long i = 0; i < rounds; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            byte[] body = (x == 42 ? "odd" : "spun").getBytes();
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }
}
