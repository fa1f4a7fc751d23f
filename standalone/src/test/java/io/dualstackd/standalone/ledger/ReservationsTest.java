package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.LedgerFixture.cidr;
import static io.dualstackd.standalone.ledger.LedgerFixture.yaml;
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
import java.util.ArrayList;
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

    private static String refusal(LedgerFixture fixture, ObjectKey key) {
        EntryRefusal refusal = fixture.ledger().refused().get(key);
        return refusal == null ? "" : refusal.rejections().toString();
    }

    private static String uid(LedgerFixture fixture, String service) {
        Tree.Mapping object = ((Entry.ServiceEntry)
                        fixture.ledger().find(LedgerFixture.service(service)).orElseThrow())
                .object();
        return StoredTree.uid(object);
    }

    @Test
    void anAddressOutsideEveryServiceCidrIsRefusedUntilOneComes() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(address("10.99.0.7"), address("fd00:99::7"));
        assertThat(refusal(fixture, key("10.99.0.7"))).contains("metadata.name", "10.99.0.7", "is in no ServiceCIDR");
        assertThat(refusal(fixture, key("fd00:99::7"))).contains("is in no ServiceCIDR");
        assertThat(fixture.ledger().find(key("10.99.0.7"))).isEmpty();

        fixture.apply(cidr("more", "10.99.0.0/24"));
        assertThat(refusal(fixture, key("10.99.0.7"))).isEmpty();
        assertThat(fixture.ledger().find(key("10.99.0.7"))).isPresent();
        assertThat(refusal(fixture, key("fd00:99::7"))).isNotEmpty();
    }

    @Test
    void theNetworksOwnAddressCannotBeReserved() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(address("10.96.0.0"), address("10.96.0.255"), address("fd00:96::"));
        assertThat(List.of("10.96.0.0", "10.96.0.255", "fd00:96::"))
                .allSatisfy(ip -> assertThat(refusal(fixture, key(ip))).contains("is in no ServiceCIDR"));
    }

    @Test
    void aReferenceMayNameTheUidOfItsService() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web"));
        fixture.apply(address("10.96.0.7", "uid: " + uid(fixture, "web")));
        assertThat(refusal(fixture, key("10.96.0.7"))).isEmpty();
    }

    @Test
    void aReferenceToAnEarlierServiceOfTheNameIsRefused() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web"));
        String earlier = uid(fixture, "web");
        fixture.delete("web");
        fixture.apply(yaml("web"));
        assertThat(uid(fixture, "web")).isNotEqualTo(earlier);
        fixture.apply(address("10.96.0.7", "uid: " + earlier));
        assertThat(refusal(fixture, key("10.96.0.7")))
                .contains("spec.parentRef.uid", earlier, "was created anew and has uid " + uid(fixture, "web"));
        fixture.delete("web");
        assertThat(refusal(fixture, key("10.96.0.7"))).isEmpty();
        assertThat(fixture.ledger().find(key("10.96.0.7"))).isPresent();
    }

    /** A Service without addresses releases nothing when it is removed. */
    @Test
    void anAddressOfAnEarlierServiceIsReservedOnceTheLaterOneIsGone() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: None"));
        fixture.apply(address("10.96.0.7", "uid: earlier"));
        assertThat(refusal(fixture, key("10.96.0.7"))).contains("was created anew");
        fixture.delete("web");
        assertThat(refusal(fixture, key("10.96.0.7"))).isEmpty();
        assertThat(fixture.ledger().find(key("10.96.0.7"))).isPresent();
    }

    /** The uid makes the difference: without it, the new Service would seem to hold what was noted for the earlier one. */
    @Test
    void recreatedServiceFreesAddressOfItsPredecessor() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: 10.96.0.5"));
        stored(fixture, "10.96.0.9", "0-0");
        stored(fixture, "10.96.0.5", "0-0");
        fixture.restart();
        assertThat(fixture.events())
                .contains("IPAddress 10.96.0.9 IPAddressWrongReference", "Service shop/web ClusterIPNotAllocated");
        assertThat(fixture.ledger().find(key("10.96.0.9"))).isEmpty();
        assertThat(((Entry.AddressEntry) fixture.ledger().find(key("10.96.0.5")).orElseThrow())
                        .address()
                        .parent())
                .isEqualTo(IpAddress.Parent.service("shop", "web"));
        assertThat(fixture.ips("web")).containsExactly("10.96.0.5");
    }

    /** As after a restart, when the files are read again. */
    @Test
    void anAddressStaysReservedWhenItsServiceIsGone() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.apply(address("10.96.0.5"));
        assertThat(refusal(fixture, key("10.96.0.5"))).isEmpty();
        fixture.delete("web");
        assertThat(fixture.ledger().find(key("10.96.0.5"))).isPresent();
        assertThat(fixture.disk()).containsKey(key("10.96.0.5"));
        fixture.apply(yaml("other", "clusterIP: 10.96.0.5"));
        assertThat(fixture.refusal("other")).contains("is already allocated to Service shop/web");
        fixture.settle(new Update.Gone(key("10.96.0.5")));
        assertThat(fixture.ips("other")).containsExactly("10.96.0.5");
        assertThat(fixture.refusal("other")).isEmpty();
    }

    @Test
    void anAddressThatGoesToAnotherServiceIsNoLongerReservedAndThatIsReported() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: 10.96.0.5"));
        fixture.apply(address("10.96.0.5"));
        List<Update> updates = new ArrayList<>(LedgerFixture.updates(yaml("other", "clusterIP: 10.96.0.5")));
        updates.add(new Update.Gone(LedgerFixture.service("web")));
        fixture.settle(updates);
        assertThat(fixture.ips("other")).containsExactly("10.96.0.5");
        assertThat(refusal(fixture, key("10.96.0.5"))).contains("is already allocated to Service shop/other");
    }

    private static void stored(LedgerFixture fixture, String ip, String uid) {
        IpAddress address = new IpAddress(Ip.parse(ip), new IpAddress.Parent("", "services", "shop", "web", uid), true);
        fixture.disk().put(key(ip), new Entry.AddressEntry(fixture.now().minus(Duration.ofHours(1)), address));
    }

    private static LedgerFixture keeping(String... ranges) {
        return new LedgerFixture(new LedgerSettings(
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

    private static List<String> kubernetesIps(LedgerFixture fixture) {
        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "kubernetes");
        return ServiceFields.of(((Entry.ServiceEntry) fixture.ledger().find(key).orElseThrow()).object())
                .families()
                .clusterIps();
    }

    @Test
    void theFirstAddressOfEachRangeIsForTheKubernetesService() {
        LedgerFixture fixture = keeping("10.96.0.0/28", "fd00:96::/124");
        fixture.apply(yaml("four", "clusterIP: 10.96.0.1"), yaml("six", "clusterIP: fd00:96::1"));
        assertThat(fixture.refusal("four"))
                .contains("spec.clusterIPs[0]", "10.96.0.1", "is kept for Service default/kubernetes");
        assertThat(fixture.refusal("six")).contains("is kept for Service default/kubernetes");
        fixture.apply(kubernetes("ipFamilyPolicy: RequireDualStack"));
        assertThat(kubernetesIps(fixture)).containsExactly("10.96.0.1", "fd00:96::1");
    }

    @Test
    void theKubernetesServiceMayNameItToo() {
        LedgerFixture fixture = keeping("10.96.0.0/28", "fd00:96::/124");
        fixture.apply(kubernetes("ipFamilyPolicy: RequireDualStack", "clusterIP: 10.96.0.1"));
        assertThat(kubernetesIps(fixture)).containsExactly("10.96.0.1", "fd00:96::1");
        fixture.settle(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "kubernetes")));
        fixture.apply(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(fixture.refusal("web")).as("kept when it is gone, too").contains("is kept for");
    }

    @Test
    void noServiceIsGivenItHoweverFullTheRange() {
        LedgerFixture fixture = keeping("10.96.0.0/29");
        for (int i = 0; i < 6; i++) {
            fixture.apply(yaml("s" + i));
        }
        assertThat(fixture.refusal("s5")).contains("no IPv4 address is free");
        assertThat(fixture.disk()).doesNotContainKey(key("10.96.0.1"));
    }

    @Test
    void aServiceThatHasItAlreadyKeepsItAndItIsKeptAfterwards() {
        LedgerFixture before = new LedgerFixture("10.96.0.0/28");
        before.apply(yaml("web", "clusterIP: 10.96.0.1"));
        LedgerFixture fixture = keeping("10.96.0.0/28");
        fixture.disk().clear();
        fixture.disk().putAll(before.disk());
        fixture.restart();
        fixture.apply(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(fixture.ips("web")).containsExactly("10.96.0.1");
        fixture.delete("web");
        fixture.apply(yaml("other", "clusterIP: 10.96.0.1"));
        assertThat(fixture.refusal("other")).contains("is kept for Service default/kubernetes");
    }

    @Test
    void theKubernetesServiceGetsItOnceNoFileReservesItAnyMore() {
        LedgerFixture fixture = keeping("10.96.0.0/28");
        fixture.apply(address("10.96.0.1"));
        fixture.apply(kubernetes("clusterIP: 10.96.0.1"));
        ObjectKey kubernetes = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "kubernetes");
        assertThat(refusal(fixture, kubernetes)).contains("is already allocated to Service shop/web");
        fixture.settle(new Update.Gone(key("10.96.0.1")));
        assertThat(refusal(fixture, kubernetes)).isEmpty();
        assertThat(kubernetesIps(fixture)).containsExactly("10.96.0.1");
    }

    @Test
    void withoutTheSettingAnyServiceMayHaveIt() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/28");
        fixture.apply(yaml("web", "clusterIP: 10.96.0.1"));
        assertThat(fixture.ips("web")).containsExactly("10.96.0.1");
    }
}
