package io.dualstackd.dns.io;

import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.netlink.process.ChildJvm;
import io.dualstackd.netlink.process.OpenFiles;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with a server, which takes its own file descriptors away for a while, and prints how questions are answered. */
final class DescriptorsChild {
    private static final int TIMEOUT = 10_000;

    private DescriptorsChild() {}

    public static void main(String[] arguments) throws Throwable {
        ChildJvm.loadClasses("io/dualstackd/dns/.*", DnsServer.class, DescriptorsChild.class);
        try (TestResolver upstream = TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.NOERROR));
                DnsServer server = DnsServer.open(
                        ServerSettings.defaults(
                                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                                SampleCluster.settings(),
                                ForwardSettings.defaults(List.of(upstream.nameserver()))),
                        DnsSupervision.NONE);
                DatagramSocket client = new DatagramSocket()) {
            client.connect(server.addresses().getFirst());
            client.setSoTimeout(TIMEOUT);
            ask(client, "before.example.com");
            long limit = OpenFiles.limit(OpenFiles.NO_MORE);
            ask(client, "www.example.com");
            OpenFiles.limit(limit);
            ask(client, "www.example.com");
            System.out.println("under way: "
                    + server.figures().get(TIMEOUT, TimeUnit.MILLISECONDS).underway());
        }
        System.exit(0);
    }

    private static void ask(DatagramSocket client, String name) throws IOException {
        TestClient.send(client, NettyCodec.query(1, name, "A", 0));
        try {
            System.out.println(
                    name + ": " + NettyCodec.read(TestClient.receive(client)).code());
        } catch (SocketTimeoutException e) {
            System.out.println(name + ": no answer");
        }
    }
}
