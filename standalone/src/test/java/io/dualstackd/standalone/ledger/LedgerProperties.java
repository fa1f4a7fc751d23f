package io.dualstackd.standalone.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.standalone.serviceapi.FamilyFields;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever files contain in whatever order, and however often the process is killed: no number is allocated twice, and all allocations are recorded. */
@Tag("slow")
final class LedgerProperties {
    private static final List<String> RANGES = List.of("10.96.0.0/28", "fd00:96::/124", "10.96.0.0/28,fd00:96::/124");

    /** Something that happens. */
    sealed interface Step {
        record Say(int service, String type, String policy, int ip, int port) implements Step {
            String yaml() {
                String ports = port == 0 || type.equals("ClusterIP") || type.equals("ExternalName")
                        ? "ports: [{port: 80}]"
                        : "ports: [{port: 80, nodePort: " + port + "}]";
                return """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: s%d, namespace: shop}
                        spec:
                          type: %s
                          %s
                          %s
                          %s
                          selector: {app: web}
                        """.formatted(
                                service,
                                type,
                                ports,
                                type.equals("ExternalName")
                                        ? "externalName: example.org"
                                        : policy.isEmpty() ? "sessionAffinity: None" : "ipFamilyPolicy: " + policy,
                                ip == 0 || type.equals("ExternalName")
                                        ? "publishNotReadyAddresses: false"
                                        : "clusterIP: 10.96.0." + ip);
            }
        }

        record Delete(int service) implements Step {}

        record AddCidr(int number) implements Step {}

        record DeleteCidr(int number) implements Step {}

        record Pass(int seconds) implements Step {}

        record Die() implements Step {}

        /** Judged only, or could not be written. */
        record Undone(List<Step> steps) implements Step {}
    }

    private static List<Step> lives(Draw draw) {
        return draw.list(20, 60, () -> step(draw));
    }

    private static Step step(Draw draw) {
        int chance = draw.random().nextInt(22);
        if (chance < 12) {
            return say(draw);
        }
        return switch (chance) {
            case 12, 13, 14, 15 -> new Step.Delete(draw.upTo(11));
            case 16 -> new Step.AddCidr(draw.upTo(3));
            case 17 -> new Step.DeleteCidr(draw.upTo(3));
            case 18 -> new Step.Pass(draw.one(1, 11, 200));
            case 19 -> new Step.Die();
            default ->
                new Step.Undone(draw.list(0, 4, () -> switch (draw.random().nextInt(3)) {
                    case 0 -> say(draw);
                    case 1 -> new Step.Delete(draw.upTo(11));
                    default -> new Step.AddCidr(draw.upTo(3));
                }));
        };
    }

    private static Step.Say say(Draw draw) {
        return new Step.Say(
                draw.upTo(11),
                draw.one("ClusterIP", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
                draw.one("", "SingleStack", "PreferDualStack", "RequireDualStack"),
                draw.one(0, 0, 0, 1, 2, 3),
                draw.one(0, 0, 30_000, 30_001, 30_050));
    }

    @Test
    void nothingIsGivenTwiceAndAllIsNoted() {
        Tries.of(150, draw -> nothingIsGivenTwiceAndAllIsNoted(lives(draw), draw.one(RANGES)));
    }

    private void nothingIsGivenTwiceAndAllIsNoted(List<Step> life, String ranges) {
        LedgerFixture fixture = new LedgerFixture(ranges);
        Map<ObjectKey, Update> written = new HashMap<>();
        for (Step step : life) {
            switch (step) {
                case Step.Pass(int seconds) -> fixture.advance(Duration.ofSeconds(seconds));
                case Step.Die() -> {
                    fixture.restart();
                    // Files say what they say.
                    fixture.settle(List.copyOf(written.values()));
                }
                case Step.Undone(List<Step> steps) -> {
                    List<Event> events = fixture.ledger().events(fixture.now());
                    fixture.ledger()
                            .admit(steps.stream().map(LedgerProperties::news).toList(), fixture.now(), 1_000_000);
                    fixture.ledger().rollback();
                    assertThat(fixture.ledger().events(fixture.now())).isEqualTo(events);
                }
                case Step.Say ignored -> say(fixture, written, step);
                case Step.Delete ignored -> say(fixture, written, step);
                case Step.AddCidr ignored -> say(fixture, written, step);
                case Step.DeleteCidr ignored -> say(fixture, written, step);
            }
            check(fixture);
        }
        Map<ObjectKey, Entry> before = Map.copyOf(fixture.disk());
        fixture.restart();
        fixture.settle(List.copyOf(written.values()));
        assertThat(fixture.disk()).containsAllEntriesOf(services(before));
    }

    private static Map<ObjectKey, Entry> services(Map<ObjectKey, Entry> all) {
        Map<ObjectKey, Entry> services = new HashMap<>(all);
        services.keySet().removeIf(key -> key.kind() != ObjectKey.Kind.SERVICE);
        return services;
    }

    private static void say(LedgerFixture fixture, Map<ObjectKey, Update> written, Step step) {
        Update update = news(step);
        switch (update) {
            case Update.Put put -> written.put(put.key(), put);
            case Update.Gone gone -> written.remove(gone.key());
        }
        fixture.settle(List.of(update));
    }

    private static Update news(Step step) {
        return switch (step) {
            case Step.Say say -> LedgerFixture.updates(say.yaml()).getFirst();
            case Step.Delete(int service) -> new Update.Gone(LedgerFixture.service("s" + service));
            case Step.AddCidr(int number) ->
                LedgerFixture.updates(LedgerFixture.cidr("c" + number, "10.97." + number % 2 + ".0/29"))
                        .getFirst();
            case Step.DeleteCidr(int number) ->
                new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "c" + number));
            case Step.Pass ignored -> throw new IllegalArgumentException();
            case Step.Die ignored -> throw new IllegalArgumentException();
            case Step.Undone ignored -> throw new IllegalArgumentException();
        };
    }

    private static void check(LedgerFixture fixture) {
        Set<Ip> ips = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        for (Entry entry : fixture.entries()) {
            if (entry instanceof Entry.ServiceEntry service) {
                ServiceFields fields = ServiceFields.of(service.object());
                Set<Integer> own = new HashSet<>();
                fields.ports().forEach(port -> own.add(port.nodePort()));
                own.add(fields.healthPort());
                own.remove(0);
                own.forEach(
                        port -> assertThat(ports.add(port)).as("port " + port).isTrue());
                addresses(fixture, service, fields, ips);
            }
        }
        long noted = fixture.entries().stream()
                .filter(Entry.AddressEntry.class::isInstance)
                .count();
        assertThat(noted).isEqualTo(ips.size());
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(ports.size());
        long used = fixture.ledger().ranges().stream()
                .mapToLong(fill -> fill.used())
                .sum();
        assertThat(used).isEqualTo(ips.size());
        assertThat(fixture.events()).isEmpty();
    }

    private static void addresses(
            LedgerFixture fixture, Entry.ServiceEntry service, ServiceFields fields, Set<Ip> ips) {
        FamilyFields families = fields.families();
        if (!fields.needsClusterIps()) {
            assertThat(families.clusterIps()).isEmpty();
            return;
        }
        assertThat(families.clusterIps()).hasSameSizeAs(families.ipFamilies());
        assertThat(families.clusterIp()).isEqualTo(families.clusterIps().getFirst());
        for (int i = 0; i < families.clusterIps().size(); i++) {
            Ip ip = Ip.parse(families.clusterIps().get(i));
            IpFamily family = families.ipFamilies().get(i);
            assertThat(ip.family()).isEqualTo(family);
            assertThat(ips.add(ip)).as("given twice: " + ip).isTrue();
            assertThat(fixture.disk().get(new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip.toString())))
                    .isInstanceOfSatisfying(
                            Entry.AddressEntry.class,
                            entry -> assertThat(entry.address())
                                    .isEqualTo(new IpAddress(
                                            ip,
                                            IpAddress.Parent.service(
                                                    "shop", service.key().name()),
                                            true)));
        }
    }
}
