import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * Handlers on virtual threads that do equal work and wait equally long. They differ in which thread begins the wait,
 * and when: the one that has done the work, at once; that one, after it stood at the end of the scheduler's queue once
 * more; or others that it has started. Arguments: port, thousands of rounds of work per request, and milliseconds of
 * the wait.
 */
public class Convoy {
    interface Wait {
        void done() throws InterruptedException;
    }

    private static long rounds;
    private static long millis;

    public static void main(String[] arguments) throws Exception {
        rounds = Long.parseLong(arguments[1]) * 1_000;
        millis = Long.parseLong(arguments[2]);
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 2_000);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        answer(server, "/at-once", () -> Thread.sleep(millis));
        answer(server, "/after-a-yield", () -> {
            Thread.yield();
            Thread.sleep(millis);
        });
        answer(server, "/two-joined", () -> {
            var first = Thread.startVirtualThread(Convoy::sleep);
            var second = Thread.startVirtualThread(Convoy::sleep);
            first.join();
            second.join();
        });
        server.start();
    }

    private static void answer(HttpServer server, String path, Wait wait) {
        server.createContext(path, exchange -> {
            long work = work(exchange.hashCode() | 1);
            try {
                wait.done();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            byte[] body = (work == 42 ? "odd" : "done").getBytes();
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }

    private static void sleep() {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Xorshift (Marsaglia, Journal of Statistical Software 8, 2003): each round needs the one before. */
    private static long work(long seed) {
        long x = seed;
        for (long i = 0; i < rounds; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
