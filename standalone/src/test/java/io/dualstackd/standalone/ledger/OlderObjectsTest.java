package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.LedgerFixture.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Services stored before a Service had several families: they keep their address, become dual-stack and go back. */
final class OlderObjectsTest {
    private static final Set<String> NEWER =
            Set.of("clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");

    /** A ledger that begins with this Service, stored without the fields that came later. */
    private static LedgerFixture stored(String service) {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(service);
        ObjectKey key = LedgerFixture.service("web");
        Entry.ServiceEntry entry =
                (Entry.ServiceEntry) fixture.ledger().find(key).orElseThrow();
        fixture.disk().put(key, new Entry.ServiceEntry(key, entry.created(), older(entry.object())));
        fixture.restart();
        return fixture;
    }

    private static Tree.Mapping older(Tree.Mapping object) {
        Map<String, Tree> fields = new LinkedHashMap<>(object.entries());
        fields.computeIfPresent("spec", (name, spec) -> {
            Map<String, Tree> old = new LinkedHashMap<>(((Tree.Mapping) spec).entries());
            old.keySet().removeAll(NEWER);
            return new Tree.Mapping(old, 0);
        });
        return new Tree.Mapping(fields, 0);
    }

    /** The addresses in force, whether they have been written again or not. */
    private static List<String> ips(LedgerFixture fixture) {
        Entry.ServiceEntry entry = (Entry.ServiceEntry)
                fixture.ledger().find(LedgerFixture.service("web")).orElseThrow();
        return ServiceFields.of(entry.object()).families().clusterIps();
    }

    private static List<String> allocated(LedgerFixture fixture) {
        return fixture.disk().keySet().stream()
                .filter(key -> key.kind() == ObjectKey.Kind.IP_ADDRESS)
                .map(ObjectKey::name)
                .toList();
    }

    @Test
    void itKeepsItsAddressWhenItIsReadAgain() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.apply(yaml("web", "clusterIP: 10.96.0.5"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(ips(fixture)).containsExactly("10.96.0.5");
        assertThat(allocated(fixture)).containsExactly("10.96.0.5");
    }

    @Test
    void itBecomesDualStackAndGoesBack() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.apply(yaml("web", "ipFamilyPolicy: RequireDualStack"));
        assertThat(fixture.refusal("web")).isEmpty();
        List<String> both = ips(fixture);
        assertThat(both).hasSize(2).first().isEqualTo("10.96.0.5");
        assertThat(both.getLast()).startsWith("fd00:96::");
        assertThat(allocated(fixture)).containsExactlyInAnyOrderElementsOf(both);

        fixture.restart();
        fixture.apply(yaml("web", "ipFamilyPolicy: SingleStack"));
        assertThat(ips(fixture)).containsExactly("10.96.0.5");
        assertThat(allocated(fixture)).containsExactly("10.96.0.5");
    }

    /** Its first address decides, whatever the first family of the node is. */
    @Test
    void oneOfTheSecondFamilyBecomesDualStackInItsOwnOrder() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: \"fd00:96::5\"", "ipFamilies: [IPv6]"));
        fixture.apply(yaml("web", "ipFamilyPolicy: PreferDualStack"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(ips(fixture)).hasSize(2).first().isEqualTo("fd00:96::5");
        assertThat(ips(fixture).getLast()).startsWith("10.96.0.");
    }

    /** The repair compares Services with the addresses recorded for them. */
    @Test
    void itsAddressStaysAllocatedUntilItGoes() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.advance(Duration.ofMinutes(4));
        fixture.advance(Duration.ofMinutes(4));
        assertThat(fixture.events()).isEmpty();
        assertThat(allocated(fixture)).containsExactly("10.96.0.5");
        fixture.apply(yaml("other", "clusterIP: 10.96.0.5"));
        assertThat(fixture.refusal("other")).contains("is already allocated to Service shop/web");
        fixture.delete("web");
        assertThat(fixture.refusal("other")).isEmpty();
    }

    @Test
    void itsFamilyDoesNotChange() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.apply(yaml("web", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv6, IPv4]"));
        assertThat(fixture.refusal("web")).contains("spec.clusterIPs[0]");
        assertThat(ips(fixture)).containsExactly("10.96.0.5");
        assertThat(allocated(fixture)).containsExactly("10.96.0.5");
    }

    @Test
    void aHeadlessOneBecomesDualStackToo() {
        LedgerFixture fixture = stored(yaml("web", "clusterIP: None"));
        fixture.apply(yaml("web", "clusterIP: None", "ipFamilyPolicy: RequireDualStack"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(fixture.fields("web").orElseThrow().families().ipFamilies()).hasSize(2);
        assertThat(allocated(fixture)).isEmpty();
    }
}
