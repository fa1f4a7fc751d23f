package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A ledger that writes to a map in place of a disk, and can be restarted from it. */
public final class LedgerFixture {
    public static final String DUAL = "10.96.0.0/24,fd00:96::/112";

    private final LedgerSettings settings;
    private final Random random = new Random(42);
    private final Map<ObjectKey, Entry> disk = new LinkedHashMap<>();
    private Ledger ledger;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long version;

    LedgerFixture(String ranges) {
        this(settings(ranges));
    }

    LedgerFixture(LedgerSettings settings) {
        this.settings = settings;
        ledger = new Ledger(settings, random, List.of());
        settle();
    }

    public static LedgerSettings settings(String ranges) {
        return new LedgerSettings(
                Arrays.stream(ranges.split(",")).map(IpPrefix::parse).toList(), 30_000, 30_099, Semantics.KUBERNETES);
    }

    /** The objects of a manifest, as updates. */
    public static List<Update> updates(String yaml) {
        Decoded decoded = Manifests.decode("test.yaml", yaml, Dialect.WRITTEN);
        if (decoded.problems().stream().anyMatch(Problem::isError)) {
            throw new IllegalArgumentException(decoded.problems().toString());
        }
        return decoded.objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList();
    }

    public static ObjectKey service(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, "shop", name);
    }

    /** A Service of one TCP port; {@code spec} is further fields, each line indented by two blanks. */
    public static String yaml(String name, String... spec) {
        return """
                ---
                apiVersion: v1
                kind: Service
                metadata:
                  name: %s
                  namespace: shop
                spec:
                  ports:
                  - port: 80
                  selector:
                    app: web
                """.formatted(name)
                + String.join(
                        "", Arrays.stream(spec).map(line -> "  " + line + "\n").toList());
    }

    public static String cidr(String name, String... cidrs) {
        return """
                ---
                apiVersion: networking.k8s.io/v1
                kind: ServiceCIDR
                metadata:
                  name: %s
                spec:
                  cidrs:
                """.formatted(name)
                + String.join(
                        "", Arrays.stream(cidrs).map(c -> "  - " + c + "\n").toList());
    }

    List<LedgerChange> apply(String... yaml) {
        return settle(updates(String.join("", yaml)));
    }

    List<LedgerChange> delete(String... services) {
        return settle(Arrays.stream(services)
                .<Update>map(name -> new Update.Gone(service(name)))
                .toList());
    }

    List<LedgerChange> deleteCidr(String name) {
        return settle(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", name))));
    }

    List<LedgerChange> settle(Update... updates) {
        return settle(List.of(updates));
    }

    List<LedgerChange> settle(List<Update> updates) {
        List<LedgerChange> changes = ledger.admit(updates, now, ++version);
        for (LedgerChange ledgerChange : changes) {
            switch (ledgerChange) {
                case LedgerChange.Put(Entry entry) -> disk.put(entry.key(), entry);
                case LedgerChange.Gone(ObjectKey key) -> disk.remove(key);
            }
        }
        ledger.commit();
        return changes;
    }

    List<LedgerChange> advance(Duration time) {
        now = now.plus(time);
        return settle();
    }

    /** Starts again from what is on disk; the contents of files must be applied again. */
    void restart() {
        ledger = new Ledger(settings, random, disk.values());
        settle();
    }

    Ledger ledger() {
        return ledger;
    }

    Instant now() {
        return now;
    }

    Map<ObjectKey, Entry> disk() {
        return disk;
    }

    Collection<Entry> entries() {
        return disk.values();
    }

    Optional<ServiceFields> fields(String name) {
        return Optional.ofNullable(disk.get(service(name)))
                .map(entry -> ServiceFields.of(((Entry.ServiceEntry) entry).object()));
    }

    List<String> ips(String name) {
        return fields(name).map(fields -> fields.families().clusterIps()).orElse(List.of());
    }

    List<Integer> nodePorts(String name) {
        return fields(name)
                .map(fields -> fields.ports().stream().map(p -> p.nodePort()).toList())
                .orElse(List.of());
    }

    /** Why the Service is not in force as written; empty when it is. */
    String refusal(String name) {
        EntryRefusal entryRefusal = ledger.refused().get(service(name));
        return entryRefusal == null
                ? ""
                : String.join(
                        "; ",
                        entryRefusal.rejections().stream()
                                .map(Rejection::toString)
                                .toList());
    }

    List<String> events() {
        return ledger.events(now).stream()
                .map(event -> event.about() + " " + event.reason())
                .toList();
    }
}
