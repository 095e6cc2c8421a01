import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers as many requests per second as it is told, and no more: a token bucket that fills evenly and holds few tokens. What comes
 * faster waits in order. So its knee is known. Arguments: port, requests per second.
 */
public final class CappedServer {
    private static final int BUCKET = 10;
    private static final byte[] BODY = "ok".getBytes();

    /** When the next token is there, in nanoseconds of the monotonic clock; guarded by the class. */
    private static long nextNanos = System.nanoTime();

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        long nanosPerToken = 1_000_000_000L / Long.parseLong(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 4_096);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            awaitToken(nanosPerToken);
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
    }

    private static void awaitToken(long nanosPerToken) {
        long mine;
        synchronized (CappedServer.class) {
            mine = Math.max(nextNanos, System.nanoTime() - BUCKET * nanosPerToken);
            nextNanos = mine + nanosPerToken;
        }
        for (long left = mine - System.nanoTime(); left > 0; left = mine - System.nanoTime()) LockSupport.parkNanos(left);
    }

    private CappedServer() {
    }
}
