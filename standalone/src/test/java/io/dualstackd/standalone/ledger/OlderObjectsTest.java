package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.Room.yaml;
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
    private static Room stored(String service) {
        Room room = new Room(Room.DUAL);
        room.say(service);
        ObjectKey key = Room.service("web");
        Entry.ServiceEntry entry = (Entry.ServiceEntry) room.ledger().find(key).orElseThrow();
        room.disk().put(key, new Entry.ServiceEntry(key, entry.created(), older(entry.object())));
        room.restart();
        return room;
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
    private static List<String> ips(Room room) {
        Entry.ServiceEntry entry =
                (Entry.ServiceEntry) room.ledger().find(Room.service("web")).orElseThrow();
        return ServiceFields.of(entry.object()).families().clusterIps();
    }

    private static List<String> allocated(Room room) {
        return room.disk().keySet().stream()
                .filter(key -> key.kind() == ObjectKey.Kind.IP_ADDRESS)
                .map(ObjectKey::name)
                .toList();
    }

    @Test
    void itKeepsItsAddressWhenItIsReadAgain() {
        Room room = stored(yaml("web", "clusterIP: 10.96.0.5"));
        room.say(yaml("web", "clusterIP: 10.96.0.5"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(ips(room)).containsExactly("10.96.0.5");
        assertThat(allocated(room)).containsExactly("10.96.0.5");
    }

    @Test
    void itBecomesDualStackAndGoesBack() {
        Room room = stored(yaml("web", "clusterIP: 10.96.0.5"));
        room.say(yaml("web", "ipFamilyPolicy: RequireDualStack"));
        assertThat(room.refusal("web")).isEmpty();
        List<String> both = ips(room);
        assertThat(both).hasSize(2).first().isEqualTo("10.96.0.5");
        assertThat(both.getLast()).startsWith("fd00:96::");
        assertThat(allocated(room)).containsExactlyInAnyOrderElementsOf(both);

        room.restart();
        room.say(yaml("web", "ipFamilyPolicy: SingleStack"));
        assertThat(ips(room)).containsExactly("10.96.0.5");
        assertThat(allocated(room)).containsExactly("10.96.0.5");
    }

    /** Its first address decides, whatever the first family of the node is. */
    @Test
    void oneOfTheSecondFamilyBecomesDualStackInItsOwnOrder() {
        Room room = stored(yaml("web", "clusterIP: \"fd00:96::5\"", "ipFamilies: [IPv6]"));
        room.say(yaml("web", "ipFamilyPolicy: PreferDualStack"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(ips(room)).hasSize(2).first().isEqualTo("fd00:96::5");
        assertThat(ips(room).getLast()).startsWith("10.96.0.");
    }

    /** The repair compares Services with the addresses recorded for them. */
    @Test
    void itsAddressStaysAllocatedUntilItGoes() {
        Room room = stored(yaml("web", "clusterIP: 10.96.0.5"));
        room.pass(Duration.ofMinutes(4));
        room.pass(Duration.ofMinutes(4));
        assertThat(room.events()).isEmpty();
        assertThat(allocated(room)).containsExactly("10.96.0.5");
        room.say(yaml("other", "clusterIP: 10.96.0.5"));
        assertThat(room.refusal("other")).contains("is already allocated to Service shop/web");
        room.delete("web");
        assertThat(room.refusal("other")).isEmpty();
    }

    @Test
    void itsFamilyDoesNotChange() {
        Room room = stored(yaml("web", "clusterIP: 10.96.0.5"));
        room.say(yaml("web", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv6, IPv4]"));
        assertThat(room.refusal("web")).contains("spec.clusterIPs[0]");
        assertThat(ips(room)).containsExactly("10.96.0.5");
        assertThat(allocated(room)).containsExactly("10.96.0.5");
    }

    @Test
    void aHeadlessOneBecomesDualStackToo() {
        Room room = stored(yaml("web", "clusterIP: None"));
        room.say(yaml("web", "clusterIP: None", "ipFamilyPolicy: RequireDualStack"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(room.fields("web").orElseThrow().families().ipFamilies()).hasSize(2);
        assertThat(allocated(room)).isEmpty();
    }
}
