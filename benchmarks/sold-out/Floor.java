import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * Servers that answer every request with the bytes of "sold out" and do nothing else, on one event loop:
 *
 * bytes    Netty without HTTP: waits for the end of a body that ends with "}", and writes a constant. What the kernel and Netty's transport cost.
 * netty    Netty with its HTTP codec and headers that never change.
 * reactor  Reactor Netty: reads the body, and sends a constant.
 *
 * java -cp tickets.jar Floor.java NAME PORT
 */
class Floor {
    static final byte[] BODY = ("{\"type\":\"/problems/too-few-seats\",\"title\":\"Too few seats are left\",\"status\":409,"
        + "\"detail\":\"The event is sold out.\",\"remaining\":0}").getBytes(StandardCharsets.US_ASCII);
    static final AsciiString TYPE = AsciiString.cached("application/problem+json");
    static final AsciiString LENGTH = AsciiString.cached("" + BODY.length);

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "bytes" -> serve(port, false);
            case "netty" -> serve(port, true);
            case "reactor" -> reactor(port);
            default -> throw new IllegalArgumentException("no server " + arguments[0]);
        }
    }

    static void serve(int port, boolean isHttp) throws Exception {
        var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var server = new ServerBootstrap().group(loop).channel(EpollServerSocketChannel.class)
            .childHandler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                    if (isHttp) channel.pipeline().addLast(new HttpServerCodec(), new Http()); else channel.pipeline().addLast(new Bytes());
                }
            });
        server.bind("127.0.0.1", port).sync().channel().closeFuture().sync();
    }

    static class Http extends ChannelInboundHandlerAdapter {
        static final ReadOnlyHttpHeaders HEADERS =
            new ReadOnlyHttpHeaders(true, HttpHeaderNames.CONTENT_TYPE, TYPE, HttpHeaderNames.CONTENT_LENGTH, LENGTH);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpContent content) content.release();
            if (message instanceof LastHttpContent) {
                context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONFLICT, Unpooled.wrappedBuffer(BODY), HEADERS, EmptyHttpHeaders.INSTANCE));
            }
        }
    }

    static class Bytes extends ChannelInboundHandlerAdapter {
        static final ByteBuf RESPONSE = Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(("HTTP/1.1 409 Conflict\r\ncontent-type: " + TYPE
            + "\r\ncontent-length: " + LENGTH + "\r\n\r\n" + new String(BODY, StandardCharsets.US_ASCII)).getBytes(StandardCharsets.US_ASCII)));

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var bytes = (ByteBuf) message;
            boolean isEnd = bytes.getByte(bytes.writerIndex() - 1) == '}';
            bytes.release();
            if (isEnd) context.writeAndFlush(RESPONSE.duplicate());
        }
    }

    static void reactor(int port) {
        HttpServer.create().host("127.0.0.1").port(port).runOn(LoopResources.create("http", 1, true))
            .route(routes -> routes.post("/events/{event}/reservations", (request, response) ->
                request.receive().aggregate().asByteArray().flatMap(body -> {
                    var headers = response.status(HttpResponseStatus.CONFLICT).responseHeaders();
                    headers.set(HttpHeaderNames.CONTENT_TYPE, TYPE);
                    headers.set(HttpHeaderNames.CONTENT_LENGTH, LENGTH);
                    return response.send(Mono.just(Unpooled.wrappedBuffer(BODY))).then();
                })))
            .bindNow().onDispose().block();
    }
}
