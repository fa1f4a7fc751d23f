package io.dualstackd.agent.demo;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * One row of the demo: a number of connections from one place to one destination.
 *
 * @param service the name of the Service, for people
 * @param kind the kind of address, for people
 * @param from where connections come from, for people
 * @param client the namespace the sockets are opened in
 */
record DemoProbe(String service, String kind, String from, NetNs client, Proto proto, IpPort destination) {
    private static final int TIMEOUT_MS = 10_000;

    /** The result of a probe. */
    record Result(
            DemoProbe probe,
            int requests,
            Map<String, Integer> answers,
            List<String> sources,
            long medianMicros,
            String firstError) {
        int answered() {
            return answers.values().stream().mapToInt(Integer::intValue).sum();
        }

        boolean allAnswered() {
            return answered() == requests;
        }
    }

    Result run(int times) {
        Map<String, Integer> answers = new TreeMap<>();
        TreeSet<String> sources = new TreeSet<>();
        List<Long> micros = new ArrayList<>();
        String error = "";
        for (int i = 0; i < times && error.isEmpty(); i++) {
            long start = System.nanoTime();
            try {
                String answer = client.call(this::request);
                micros.add((System.nanoTime() - start) / 1000);
                int blank = answer.indexOf(' ');
                answers.merge(answer.substring(0, blank), 1, Integer::sum);
                sources.add(answer.substring(blank + 1));
            } catch (Exception e) {
                error = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            }
        }
        long median = micros.isEmpty() ? 0 : micros.stream().sorted().toList().get(micros.size() / 2);
        return new Result(this, times, answers, List.copyOf(sources), median, error);
    }

    private String request() throws IOException {
        InetSocketAddress to =
                new InetSocketAddress(InetAddress.getByAddress(destination.ip().toBytes()), destination.port());
        StandardProtocolFamily family =
                destination.ip().family() == IpFamily.IPV4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        byte[] answer = proto.equals(Proto.UDP) ? askUdp(family, to) : askTcp(family, to);
        return new String(answer, StandardCharsets.UTF_8);
    }

    private static byte[] askTcp(StandardProtocolFamily family, InetSocketAddress to) throws IOException {
        try (SocketChannel channel = SocketChannel.open(family)) {
            channel.socket().connect(to, TIMEOUT_MS);
            channel.socket().setSoTimeout(TIMEOUT_MS);
            return channel.socket().getInputStream().readAllBytes();
        }
    }

    private static byte[] askUdp(StandardProtocolFamily family, InetSocketAddress to) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(family)) {
            channel.connect(to);
            channel.write(ByteBuffer.wrap(new byte[] {'?'}));
            channel.socket().setSoTimeout(TIMEOUT_MS);
            byte[] buffer = new byte[512];
            java.net.DatagramPacket packet = new java.net.DatagramPacket(buffer, buffer.length);
            channel.socket().receive(packet);
            return Arrays.copyOf(buffer, packet.getLength());
        }
    }

    /** {@code web-1 11, web-2 9}. */
    static String spread(Result result) {
        return String.join(
                "  ",
                result.answers().entrySet().stream()
                        .map(answer -> answer.getKey() + " " + bar(answer.getValue(), result.requests()) + " "
                                + answer.getValue())
                        .toList());
    }

    private static String bar(int part, int whole) {
        int length = Math.max(1, Math.round(8f * part / whole));
        return IntStream.range(0, length).mapToObj(i -> "▪").reduce("", String::concat);
    }
}
