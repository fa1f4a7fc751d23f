package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.RuntimeServiceGrpc;
import io.dualstackd.cri.v1.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The kubelet's side of CRI, as the tests play it; shares nothing with the product but the generated stubs. */
public final class RuntimeClient implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 60;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;

    RuntimeClient(Path socket) {
        channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .eventLoopGroup(loop)
                .channelType(EpollDomainSocketChannel.class)
                // Otherwise every connection is logged, for a Unix socket has no such option.
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .usePlaintext()
                .overrideAuthority("localhost")
                .build();
    }

    /** Waits for a runtime that is about to come. */
    public RuntimeServiceBlockingStub patiently() {
        return now().withWaitForReady();
    }

    /** Fails when there is no runtime now. */
    public RuntimeServiceBlockingStub now() {
        channel.resetConnectBackoff();
        return RuntimeServiceGrpc.newBlockingStub(channel).withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** Without a deadline, for streams. */
    public RuntimeServiceGrpc.RuntimeServiceStub streams() {
        return RuntimeServiceGrpc.newStub(channel);
    }

    /**
     * Whether a pod could be made of an image now: the runtime learns of imports by events of its own, somewhat later. The one
     * method of the image service that is needed, by hand: {@code ImageStatusRequest{image{image}}}, answered with an image or nothing.
     */
    public boolean knowsImage(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] request = new byte[text.length + 4];
        request[0] = 10;
        request[1] = (byte) (text.length + 2);
        request[2] = 10;
        request[3] = (byte) text.length;
        System.arraycopy(text, 0, request, 4, text.length);
        MethodDescriptor<byte[], byte[]> imageStatus = MethodDescriptor.newBuilder(AS_IS, AS_IS)
                .setType(MethodType.UNARY)
                .setFullMethodName("runtime.v1.ImageService/ImageStatus")
                .build();
        return ClientCalls.blockingUnaryCall(channel, imageStatus, CallOptions.DEFAULT, request).length > 0;
    }

    private static final Marshaller<byte[]> AS_IS = new Marshaller<>() {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
