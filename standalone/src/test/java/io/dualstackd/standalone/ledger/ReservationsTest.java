package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.Room.cidr;
import static io.dualstackd.standalone.ledger.Room.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses that are not for any Service: IPAddresses in files, and the first address of a range. */
final class ReservationsTest {
    private static String address(String ip, String... reference) {
        return """
            ---
            apiVersion: networking.k8s.io/v1
            kind: IPAddress
            metadata:
              name: "%s"
            spec:
              parentRef:
                resource: services
                namespace: shop
                name: web
            """.formatted(ip)
                + String.join(
                        "",
                        List.of(reference).stream()
                                .map(line -> "    " + line + "\n")
                                .toList());
    }

    private static ObjectKey key(String ip) {
        return new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip);
    }

    private static String refusal(Room room, ObjectKey key) {
        EntryRefusal refusal = room.ledger().refused().get(key);
        return refusal == null ? "" : refusal.rejections().toString();
    }

    private static String uid(Room room, String service) {
        Tree.Mapping object =
                ((Entry.ServiceEntry) room.ledger().find(Room.service(service)).orElseThrow()).object();
        return StoredTree.uid(object);
    }

    @Test
    void anAddressOutsideEveryServiceCidrIsRefusedUntilOneComes() {
        Room room = new Room(Room.DUAL);
        room.say(address("10.99.0.7"), address("fd00:99::7"));
        assertThat(refusal(room, key("10.99.0.7"))).contains("metadata.name", "10.99.0.7", "is in no ServiceCIDR");
        assertThat(refusal(room, key("fd00:99::7"))).contains("is in no ServiceCIDR");
        assertThat(room.ledger().find(key("10.99.0.7"))).isEmpty();

        room.say(cidr("more", "10.99.0.0/24"));
        assertThat(refusal(room, key("10.99.0.7"))).isEmpty();
        assertThat(room.ledger().find(key("10.99.0.7"))).isPresent();
        assertThat(refusal(room, key("fd00:99::7"))).isNotEmpty();
    }

    @Test
    void theNetworksOwnAddressCannotBeReserved() {
        Room room = new Room(Room.DUAL);
        room.say(address("10.96.0.0"), address("10.96.0.255"), address("fd00:96::"));
        assertThat(List.of("10.96.0.0", "10.96.0.255", "fd00:96::"))
                .allSatisfy(ip -> assertThat(refusal(room, key(ip))).contains("is in no ServiceCIDR"));
    }

    @Test
    void aReferenceMayNameTheUidOfItsService() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web"));
        room.say(address("10.96.0.7", "uid: " + uid(room, "web")));
        assertThat(refusal(room, key("10.96.0.7"))).isEmpty();
    }

    @Test
    void aReferenceToAnEarlierServiceOfTheNameIsRefused() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web"));
        String earlier = uid(room, "web");
        room.delete("web");
        room.say(yaml("web"));
        assertThat(uid(room, "web")).isNotEqualTo(earlier);
        room.say(address("10.96.0.7", "uid: " + earlier));
        assertThat(refusal(room, key("10.96.0.7")))
                .contains("spec.parentRef.uid", earlier, "was created anew and has uid " + uid(room, "web"));
    }

    /** The uid makes the difference: without it, the new Service would seem to hold what was noted for the earlier one. */
    @Test
    void anAddressOfAnEarlierServiceIsFreedAndToldOfWhenItIsCreatedAnew() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "clusterIP: 10.96.0.5"));
        stored(room, "10.96.0.9", "0-0");
        stored(room, "10.96.0.5", "0-0");
        room.restart();
        assertThat(room.events())
                .contains("IPAddress 10.96.0.9 IPAddressWrongReference", "Service shop/web ClusterIPNotAllocated");
        assertThat(room.ledger().find(key("10.96.0.9"))).isEmpty();
        assertThat(((Entry.AddressEntry) room.ledger().find(key("10.96.0.5")).orElseThrow())
                        .address()
                        .parent())
                .isEqualTo(IpAddress.Parent.service("shop", "web"));
        assertThat(room.ips("web")).containsExactly("10.96.0.5");
    }

    private static void stored(Room room, String ip, String uid) {
        IpAddress address = new IpAddress(Ip.parse(ip), new IpAddress.Parent("", "services", "shop", "web", uid), true);
        room.disk().put(key(ip), new Entry.AddressEntry(room.now().minus(Duration.ofHours(1)), address));
    }

    private static Room keeping(String... ranges) {
        return new Room(new LedgerSettings(
                List.of(ranges).stream().map(IpPrefix::parse).toList(),
                30_000,
                30_099,
                Semantics.KUBERNETES,
                true,
                LedgerSettings.USUAL_GRACE));
    }

    private static String kubernetes(String... spec) {
        return yaml("kubernetes", spec).replace("namespace: shop", "namespace: default");
    }

    private static List<String> kubernetesIps(Room room) {
        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "kubernetes");
        return ServiceFields.of(((Entry.ServiceEntry) room.ledger().find(key).orElseThrow()).object())
                .families()
                .clusterIps();
    }

    @Test
    void theFirstAddressOfEachRangeIsForTheKubernetesService() {
        Room room = keeping("10.96.0.0/28", "fd00:96::/124");
        room.say(yaml("four", "clusterIP: 10.96.0.1"), yaml("six", "clusterIP: fd00:96::1"));
        assertThat(room.refusal("four"))
                .contains("spec.clusterIPs[0]", "10.96.0.1", "is kept for Service default/kubernetes");
        assertThat(room.refusal("six")).contains("is kept for Service default/kubernetes");
        room.say(kubernetes("ipFamilyPolicy: RequireDualStack"));
        assertThat(kubernetesIps(room)).containsExactly("10.96.0.1", "fd00:96::1");
    }

    @Test
    void theKubernetesServiceMayNameItToo() {
        Room room = keeping("10.96.0.0/28", "fd00:96::/124");
        room.say(kubernetes("ipFamilyPolicy: RequireDualStack", "clusterIP: 10.96.0.1"));
        assertThat(kubernetesIps(room)).containsExactly("10.96.0.1", "fd00:96::1");
        room.settle(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "kubernetes")));
        room.say(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(room.refusal("web")).as("kept when it is gone, too").contains("is kept for");
    }

    @Test
    void noServiceIsGivenItHoweverFullTheRange() {
        Room room = keeping("10.96.0.0/29");
        for (int i = 0; i < 6; i++) {
            room.say(yaml("s" + i));
        }
        assertThat(room.refusal("s5")).contains("no IPv4 address is free");
        assertThat(room.disk()).doesNotContainKey(key("10.96.0.1"));
    }

    @Test
    void aServiceThatHasItAlreadyKeepsItAndItIsKeptAfterwards() {
        Room before = new Room("10.96.0.0/28");
        before.say(yaml("web", "clusterIP: 10.96.0.1"));
        Room room = keeping("10.96.0.0/28");
        room.disk().clear();
        room.disk().putAll(before.disk());
        room.restart();
        room.say(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(room.ips("web")).containsExactly("10.96.0.1");
        room.delete("web");
        room.say(yaml("other", "clusterIP: 10.96.0.1"));
        assertThat(room.refusal("other")).contains("is kept for Service default/kubernetes");
    }

    @Test
    void withoutTheSettingAnyServiceMayHaveIt() {
        Room room = new Room("10.96.0.0/28");
        room.say(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(room.ips("web")).containsExactly("10.96.0.1");
    }
}
