package io.dualstackd.dns.io;

import io.dualstackd.dns.Answers;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.MessageReader;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks two servers the same questions about the sample cluster and prints where they differ; run by hand against a CoreDNS that has the objects which
 * {@link SampleManifests} prints: {@code java … io.dualstackd.dns.io.CompareServers 10.96.0.10 53 127.0.0.1 5353}. The order of records, serials and what is
 * only additional do not count. {@code docs/dns.md} says which differences are meant.
 */
final class CompareServers {
    private static final List<String> TYPES =
            List.of("A", "AAAA", "SRV", "CNAME", "TXT", "PTR", "NS", "SOA", "MX", "ANY");

    private CompareServers() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress one = new InetSocketAddress(InetAddress.ofLiteral(args[0]), Integer.parseInt(args[1]));
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral(args[2]), Integer.parseInt(args[3]));
        List<String> differences = differences(one, other);
        differences.forEach(System.out::println);
        System.out.println(differences.size() + " differences in " + questions().size() + " questions");
    }

    /** Name and type. */
    record Question(String name, String type) {}

    /** Each name of the cluster, of its neighbourhood and of its addresses, with each type. */
    static List<Question> questions() {
        Set<String> names = new LinkedHashSet<>(List.of(
                "cluster.local",
                "svc.cluster.local",
                "pod.cluster.local",
                "dns-version.cluster.local",
                "nothing.cluster.local",
                "nothing.svc.cluster.local",
                "nothing.default.svc.cluster.local",
                "10-1-2-3.default.pod.cluster.local",
                "fd00--5.default.pod.cluster.local",
                "10-1-2-3.nothing.pod.cluster.local",
                "www.example.com.default.svc.cluster.local",
                "1.0.244.10.in-addr.arpa",
                "2.0.244.10.in-addr.arpa",
                "10.0.96.10.in-addr.arpa",
                "53.0.96.10.in-addr.arpa",
                "db-0.db.default.svc.cluster.local",
                "10-244-0-2.db.default.svc.cluster.local",
                "fd00-244--0.db.default.svc.cluster.local",
                "10-244-0-20.backed.other.svc.cluster.local"));
        for (Optional<DnsService> service :
                SampleCluster.change().services().values().stream().toList()) {
            String namespace = service.orElseThrow().name().namespace();
            String name = service.orElseThrow().name().name() + "." + namespace + ".svc.cluster.local";
            names.addAll(List.of(
                    name,
                    namespace + ".svc.cluster.local",
                    namespace + ".pod.cluster.local",
                    "_http._tcp." + name,
                    "_db._tcp." + name,
                    "nothing." + name));
        }
        List<Question> questions = new ArrayList<>();
        names.forEach(name -> TYPES.forEach(type -> questions.add(new Question(name, type))));
        return questions;
    }

    static List<String> differences(InetSocketAddress one, InetSocketAddress other) throws IOException {
        List<String> differences = new ArrayList<>();
        for (Question question : questions()) {
            List<String> first = answer(one, question);
            List<String> second = answer(other, question);
            if (!first.equals(second)) {
                differences.add(question.name() + " " + question.type() + "\n  " + first + "\n  " + second);
            }
        }
        return differences;
    }

    private static List<String> answer(InetSocketAddress server, Question question) throws IOException {
        try (TestClient.Tcp tcp = new TestClient.Tcp(server)) {
            tcp.send(NettyCodec.query(1, question.name(), question.type(), 0));
            byte[] message = tcp.receive();
            DnsAnswer answer =
                    MessageReader.reply(message, message.length).orElseThrow().answer();
            List<String> texts = new ArrayList<>();
            answer.answers().forEach(record -> texts.add(text(record)));
            answer.authority().forEach(record -> texts.add("authority " + text(record)));
            texts.sort(null);
            boolean found = answer.code().equals(DnsResponseCode.NOERROR);
            texts.addFirst(found ? "" : Answers.text(answer).getFirst());
            return texts;
        }
    }

    /** Without the serial of a zone. */
    private static String text(DnsRecord record) {
        return Answers.text(record).replaceFirst("(SOA \\S+ \\S+) \\d+", "$1 -");
    }
}
