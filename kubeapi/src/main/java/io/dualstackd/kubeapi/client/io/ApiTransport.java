package io.dualstackd.kubeapi.client.io;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ExecutorService;

/** The event loop, the channels and the threads through which the API server is reached: TCP, or a server in the memory of a test. */
public interface ApiTransport {
    /** TCP by epoll, or by NIO where there is no epoll. */
    static ApiTransport system() {
        return SystemTransport.USUAL;
    }

    /**
     * Starts an event loop with one thread.
     *
     * @param thread its name
     * @throws IOException if the system provides no event loop, as without file descriptors; the message gives the reason
     */
    EventLoopGroup eventLoop(String thread) throws IOException;

    /** Ends an event loop of this transport. */
    void end(EventLoopGroup eventLoop);

    /** Returns a bootstrap with the kind of channel and its options; it has no event loop yet. */
    Bootstrap bootstrap();

    /** The address to connect a channel to. */
    SocketAddress target(InetSocketAddress address);

    /**
     * Returns one thread for blocking work; it ends while there is none.
     *
     * @param thread its name
     */
    ExecutorService blocking(String thread);
}
