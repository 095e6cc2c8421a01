import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Accepts and reads connections on one thread. A second port says on each connection, as a line, how many requests were
 * answered, how many came, how many answers were late, and whatever else a server counts.
 */
abstract class CountingLoop<C> {
    /** The numbers of the second port, with blanks between. */
    protected abstract String counts();

    /** What is kept for a connection. */
    protected abstract C newConnection();

    /** Reads what has come. A failure closes the channel. */
    protected abstract void read(SocketChannel channel, C connection) throws IOException;

    /** Serves on the calling thread, for ever. */
    protected final void serve(int port, int control) throws IOException {
        var selector = Selector.open();
        listen(selector, control, "control");
        listen(selector, port, "load");
        while (true) {
            selector.select(key -> {
                if (key.isAcceptable()) accept(selector, key);
                else readFrom(key);
            });
        }
    }

    private static void listen(Selector selector, int port, String purpose) throws IOException {
        var channel = ServerSocketChannel.open();
        channel.bind(new InetSocketAddress("127.0.0.1", port), 4096);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_ACCEPT, purpose);
    }

    private void accept(Selector selector, SelectionKey key) {
        try {
            SocketChannel channel;
            while ((channel = ((ServerSocketChannel) key.channel()).accept()) != null) {
                if (key.attachment().equals("control")) {
                    channel.write(ByteBuffer.wrap((counts() + "\n").getBytes()));
                    channel.close();
                    continue;
                }
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(selector, SelectionKey.OP_READ, newConnection());
            }
        } catch (IOException failure) {
            System.err.println("cannot accept: " + failure);
        }
    }

    @SuppressWarnings("unchecked")
    private void readFrom(SelectionKey key) {
        var channel = (SocketChannel) key.channel();
        try {
            read(channel, (C) key.attachment());
        } catch (IOException failure) {
            try {
                channel.close();
            } catch (IOException ignored) {
                // It is gone either way.
            }
        }
    }
}
