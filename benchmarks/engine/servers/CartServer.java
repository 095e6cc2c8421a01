import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A shop whose answers must be kept, so that a tool cannot pretend to carry out steps:
 *
 *   java CartServer.java PORT CONTROL
 *
 *   POST /carts               201, a number as JSON and as many digits of a token in the header X-Token
 *   POST /carts/N/items       200 with the right token, else 400
 *   POST /carts/N/pay         the same, {"state":"PAID"}
 *   anything else             200, as a request to warm up with
 *
 * CONTROL is a port that says, on each connection, how many requests were answered, how many came, how many answers were late
 * (none: it has no times to keep), and how many requests were wrong, as a line. One thread, HTTP/1.1, bodies by their length. The loop is in CountingLoop.java.
 */
public class CartServer extends CountingLoop<ByteBuffer> {
    private static final int SECRET = 0x5eed;
    private final ByteBuffer out = ByteBuffer.allocateDirect(64 * 1024);
    private volatile long answered;
    private volatile long wrong;
    private int carts;

    public static void main(String[] arguments) throws IOException {
        new CartServer().serve(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    @Override
    protected String counts() {
        return answered + " " + answered + " 0 " + wrong;
    }

    @Override
    protected ByteBuffer newConnection() {
        return ByteBuffer.allocate(16 * 1024);
    }

    @Override
    protected void read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        if (channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        out.clear();
        for (int length; (length = wholeRequest(buffer)) > 0; ) {
            answer(new String(buffer.array(), 0, length, StandardCharsets.ISO_8859_1));
            answered++;
            buffer.flip().position(length);
            buffer.compact();
        }
        if (out.position() > 0) channel.write(out.flip());
    }

    /** Length of the first request with its body; 0 where it is not there yet. */
    private static int wholeRequest(ByteBuffer buffer) {
        byte[] bytes = buffer.array();
        int end = buffer.position();
        for (int at = 3; at < end; at++) {
            if (bytes[at] == '\n' && bytes[at - 1] == '\r' && bytes[at - 2] == '\n' && bytes[at - 3] == '\r') {
                var length = header(new String(bytes, 0, at + 1, StandardCharsets.ISO_8859_1), "content-length");
                int whole = at + 1 + (length == null ? 0 : Integer.parseInt(length));
                return whole <= end ? whole : 0;
            }
        }
        return 0;
    }

    private static String header(String request, String name) {
        int end = request.indexOf("\r\n\r\n");
        var head = request.substring(0, end + 2);
        int at = head.toLowerCase(Locale.ROOT).indexOf("\r\n" + name + ":");
        if (at < 0) return null;
        int from = at + name.length() + 3;
        return head.substring(from, head.indexOf("\r\n", from)).strip();
    }

    private void answer(String request) {
        var path = request.substring(request.indexOf(' ') + 1, request.indexOf(' ', request.indexOf(' ') + 1));
        if (path.equals("/carts")) {
            int number = ++carts;
            put("201 Created", "X-Token: t" + (number ^ SECRET) + "\r\n", "{\"id\":\"" + number + "\"}");
            return;
        }
        if (!path.startsWith("/carts/")) {
            put("200 OK", "", "hello");
            return;
        }
        int slash = path.indexOf('/', "/carts/".length());
        var number = slash < 0 ? "" : path.substring("/carts/".length(), slash);
        boolean isRight = number.chars().allMatch(Character::isDigit) && !number.isEmpty()
            && ("t" + (Integer.parseInt(number) ^ SECRET)).equals(header(request, "x-token"));
        if (!isRight) wrong++;
        put(isRight ? "200 OK" : "400 Bad Request", "", path.endsWith("/pay") ? "{\"state\":\"PAID\"}" : "{}");
    }

    private void put(String status, String headers, String body) {
        var answer = "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + headers + "Content-Length: " + body.length()
            + "\r\n\r\n" + body;
        out.put(answer.getBytes(StandardCharsets.ISO_8859_1));
    }
}
