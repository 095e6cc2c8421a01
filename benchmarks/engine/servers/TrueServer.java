import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * An HTTP server whose times are known, so that what a tool says of them can be checked:
 *
 *   java TrueServer.java delay NANOS PORT CONTROL    answers every request NANOS after it came
 *   java TrueServer.java queue NANOS PORT CONTROL    answers one after the other, in order of arrival; each takes NANOS
 *
 * CONTROL is a port that says, on each connection, how many requests were answered, how many came, and how many answers left
 * more than a millisecond after they were due, as a line: so that the server vouches for its own times.
 *
 * One thread reads and says when each answer is due, against a clock, so that lateness never adds up. The other waits
 * for that time and writes. Neither ever waits for a client: an answer is shorter than any socket's buffer.
 */
public class TrueServer extends CountingLoop<int[]> {
    private static final byte[] ANSWER =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello".getBytes();
    /** A parked thread wakes some 60 microseconds late; the rest is spent looking at the clock. */
    private static final long SPIN_NANOS = 150_000;

    private record Due(long nanos, SocketChannel channel) {}

    private final LinkedBlockingQueue<Due> dues = new LinkedBlockingQueue<>();
    private final boolean queue;
    private final long serviceNanos;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
    private long lastDueNanos = System.nanoTime();
    private volatile long came;
    private volatile long answered;
    private volatile long late;

    private TrueServer(boolean queue, long serviceNanos) {
        this.queue = queue;
        this.serviceNanos = serviceNanos;
    }

    public static void main(String[] arguments) throws Exception {
        var server = new TrueServer(arguments[0].equals("queue"), Long.parseLong(arguments[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(server.counts())));
        var answers = new Thread(server::answer, "answers");
        answers.setDaemon(true);
        answers.start();
        server.serve(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    }

    @Override
    protected String counts() {
        return answered + " " + came + " " + late;
    }

    /** How much of CR LF CR LF the last read ended with. */
    @Override
    protected int[] newConnection() {
        return new int[1];
    }

    /** Counts ends of request heads. */
    @Override
    protected void read(SocketChannel channel, int[] matched) throws IOException {
        buffer.clear();
        if (channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        long now = System.nanoTime();
        buffer.flip();
        while (buffer.hasRemaining()) {
            byte value = buffer.get();
            char wanted = matched[0] % 2 == 0 ? '\r' : '\n';
            matched[0] = value == wanted ? matched[0] + 1 : value == '\r' ? 1 : 0;
            if (matched[0] == 4) {
                matched[0] = 0;
                came++;
                dues.add(new Due(due(now), channel));
            }
        }
    }

    private long due(long now) {
        if (!queue) return now + serviceNanos;
        lastDueNanos = Math.max(now, lastDueNanos) + serviceNanos;
        return lastDueNanos;
    }

    /** A client that has hung up takes its turn all the same: the server cannot know. */
    private void answer() {
        try {
            while (true) {
                var due = dues.take();
                for (long left; (left = due.nanos - System.nanoTime()) > 0; ) {
                    if (left > SPIN_NANOS) LockSupport.parkNanos(left - SPIN_NANOS);
                    else Thread.onSpinWait();
                }
                if (System.nanoTime() - due.nanos > 1_000_000) late++;
                try {
                    due.channel.write(ByteBuffer.wrap(ANSWER));
                    answered++;
                } catch (IOException failure) {
                    // The client has given up.
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
