package io.dualstackd.agent.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.Answers;
import io.dualstackd.dns.Zone;
import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the Kubernetes DNS specification says about a list of objects, from the text of the manifests to the answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DnsSpecificationTest {
    private final Zone zone = zone();

    private static String text(String file) {
        try (InputStream in = Objects.requireNonNull(DnsSpecificationTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Zone zone() {
        Decoded decoded = Manifests.decode("objects.yaml", text("objects.yaml"));
        assertThat(decoded.problems()).isEmpty();
        Store store = new Store();
        store.apply(decoded.objects().stream()
                .<Update>map(located -> new Update.Put(located.object()))
                .toList());
        store.markSynced();
        Zone zone = new Zone(ZoneSettings.defaults(
                DnsName.parse("cluster.local"),
                Stream.of("10.96.0.0/16", "fd00:96::/112", "10.244.0.0/16", "fd00:244::/112")
                        .map(IpPrefix::parse)
                        .toList()));
        zone.apply(store.cursor(() -> {}).take().flatMap(StoreZone::change).orElseThrow(), 1);
        return zone;
    }

    record Row(String name, String type, List<String> answers) {
        static Row of(String line) {
            String[] words = line.split(" ", 3);
            return new Row(
                    words[0], words[1], Arrays.stream(words[2].split("; ", -1)).toList());
        }

        @Override
        public String toString() {
            return name + " " + type;
        }
    }

    private static List<Row> rows() {
        return rows("questions.txt");
    }

    private static List<Row> answersOfCoreDns() {
        return rows("coredns.txt");
    }

    private static List<Row> rows(String file) {
        return text(file)
                .lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(Row::of)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void answer(Row row) {
        assertThat(answers(row)).containsExactlyInAnyOrderElementsOf(row.answers());
    }

    /** A difference that is documented and no longer there fails, too. */
    @ParameterizedTest
    @MethodSource("answersOfCoreDns")
    void answerAsCoreDns(Row row) {
        boolean equal = answers(row)
                .sorted()
                .toList()
                .equals(row.answers().stream().sorted().toList());
        assertThat(equal).isNotEqualTo(differsFromCoreDns(row));
    }

    private Stream<String> answers(Row row) {
        return Answers.of(zone, row.name(), row.type()).stream()
                .filter(record -> !record.startsWith("-> "))
                .map(record -> written(record, row.type()));
    }

    /** The documented differences: the section of {@code docs/dns.md} on CoreDNS. */
    private static boolean differsFromCoreDns(Row row) {
        boolean protocolAlone = row.name().matches("_(tcp|udp|sctp)\\.[^_].*");
        boolean otherTypeInReverseZone =
                row.name().endsWith(".arpa") && row.type().equals("A");
        boolean textOfPartOfName = row.name().matches("((data|default|kube-system|shop)\\.)?svc\\.cluster\\.local")
                && row.type().equals("TXT");
        return protocolAlone || otherTypeInReverseZone || textOfPartOfName || NOT_READY.contains(row.toString());
    }

    /** The endpoint of a Service with {@code publishNotReadyAddresses} whose slice says that it is not ready. */
    private static final Set<String> NOT_READY = Set.of(
            "early.data.svc.cluster.local A",
            "_gossip._udp.early.data.svc.cluster.local SRV",
            "early-0.early.data.svc.cluster.local A",
            "early-0.early.data.svc.cluster.local AAAA",
            "1.3.244.10.in-addr.arpa PTR");

    /** Without owner and TTL, the type if it is the one that was asked for, and priority and weight. */
    private static String written(String record, String type) {
        String[] words = record.split(" ", 4);
        if (words.length < 4) {
            return record;
        }
        String data = words[2].equals("SRV") ? words[3].split(" ", 3)[2] : words[3];
        return words[2].equals(type) ? data : words[2] + " " + data;
    }

    @Test
    void thereAreManyDifferentQuestions() {
        assertThat(rows().stream().map(Row::toString)).hasSizeGreaterThan(300).doesNotHaveDuplicates();
        assertThat(answersOfCoreDns().stream().map(Row::toString))
                .containsExactlyElementsOf(rows().stream().map(Row::toString).toList());
    }
}
