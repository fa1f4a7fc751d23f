package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.LedgerFixture.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.standalone.serviceapi.PortFields;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import io.dualstackd.standalone.serviceapi.ServiceTree;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is inconsistent is repaired or reported. */
final class AllocationRepairTest {
    private static final IpAddress.Parent WEB = IpAddress.Parent.service("shop", "web");
    private static final String IP = "10.96.0.80";

    private final LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);

    @BeforeEach
    void web() {
        fixture.apply(yaml("web", "clusterIP: " + IP));
    }

    private static ObjectKey key(String ip) {
        return new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip);
    }

    private void note(String ip, IpAddress.Parent parent, boolean managed) {
        fixture.disk()
                .put(key(ip), new Entry.AddressEntry(fixture.now(), new IpAddress(Ip.parse(ip), parent, managed)));
        fixture.restart();
    }

    /** The Service has other addresses and node ports on disk than it was given. */
    private void give(String name, List<String> ips, int nodePort) {
        Entry.ServiceEntry entry =
                (Entry.ServiceEntry) Objects.requireNonNull(fixture.disk().get(LedgerFixture.service(name)));
        ServiceFields fields = ServiceFields.of(entry.object());
        fixture.disk()
                .put(
                        entry.key(),
                        new Entry.ServiceEntry(
                                entry.key(),
                                entry.created(),
                                ServiceTree.with(
                                        entry.object(),
                                        ips,
                                        fields.ports().stream()
                                                .map(port -> new PortFields(
                                                        port.name(), port.protocol(), port.port(), nodePort))
                                                .toList(),
                                        0)));
        fixture.restart();
    }

    private Optional<IpAddress.Parent> parent(String ip) {
        return fixture.ledger()
                .find(key(ip))
                .map(entry -> ((Entry.AddressEntry) entry).address().parent());
    }

    @Test
    void consistentLedgerIsNotChanged() {
        assertThat(fixture.advance(Duration.ofMinutes(4))).isEmpty();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void anAddressThatIsNotNotedIs() {
        fixture.disk().remove(key(IP));
        fixture.restart();
        assertThat(fixture.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
        fixture.apply(yaml("thief", "clusterIP: " + IP));
        assertThat(fixture.ips("thief")).isEmpty();
    }

    @Test
    void anAddressOfSomethingElseBecomesItsServices() {
        note(IP, new IpAddress.Parent("example.org", "gateways", "", "west"), true);
        assertThat(fixture.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void anAddressOfAServiceThatIsMissingBecomesItsServices() {
        note(IP, IpAddress.Parent.service("shop", "missing"), true);
        assertThat(fixture.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void labelsAreSetRightInSilence() {
        note(IP, WEB, false);
        assertThat(fixture.events()).isEmpty();
        assertThat(((Entry.AddressEntry) fixture.ledger().find(key(IP)).orElseThrow())
                        .address()
                        .managed())
                .isTrue();
    }

    @Test
    void reportsSecondServiceWithTheSameAddress() {
        fixture.apply(yaml("other"));
        fixture.disk().remove(key(fixture.ips("other").getFirst()));
        give("other", List.of(IP), 0);
        assertThat(fixture.events()).containsExactly("Service shop/other ClusterIPAlreadyAllocated");
        assertThat(parent(IP)).hasValue(WEB);
        fixture.delete("other");
        assertThat(parent(IP)).hasValue(WEB);
        fixture.apply(yaml("thief", "clusterIP: " + IP));
        assertThat(fixture.ips("thief")).isEmpty();
    }

    @Test
    void reportsInvalidAddressesAndThoseOutsideAllNetworks() {
        give("web", List.of("10.96.0.0.1"), 0);
        assertThat(fixture.events()).contains("Service shop/web ClusterIPNotValid");
        give("web", List.of("10.200.0.1"), 0);
        assertThat(fixture.events()).containsExactly("Service shop/web ClusterIPOutOfRange");
    }

    @Test
    void anAddressWhoseServiceIsMissingIsFreeAfterAMinute() {
        note("10.96.0.7", IpAddress.Parent.service("shop", "missing"), true);
        assertThat(parent("10.96.0.7")).isPresent();
        fixture.advance(Duration.ofMinutes(3));
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(fixture.events()).containsExactly("IPAddress 10.96.0.7 IPAddressNotAllocated");
        fixture.apply(yaml("b", "clusterIP: 10.96.0.7"));
        assertThat(fixture.ips("b")).containsExactly("10.96.0.7");
    }

    @Test
    void anAddressItsServiceDoesNotHaveIsFreeSoon() {
        note("10.96.0.7", WEB, true);
        assertThat(parent("10.96.0.7")).isPresent();
        fixture.advance(Duration.ofMinutes(3));
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(fixture.events()).containsExactly("IPAddress 10.96.0.7 IPAddressWrongReference");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void anAddressOfNoServiceIsFreeAtOnceUnlessItIsAReservation() {
        note("10.96.0.7", new IpAddress.Parent("example.org", "gateways", "", "west"), true);
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(fixture.events()).containsExactly("IPAddress 10.96.0.7 IPAddressNotAllocated");
        note("10.96.0.8", new IpAddress.Parent("example.org", "gateways", "", "west"), false);
        assertThat(parent("10.96.0.8")).isPresent();
    }

    @Test
    void reportsDuplicateNodePortsAndThoseOutsideTheRange() {
        fixture.apply(yaml("web", "clusterIP: " + IP, "type: NodePort"), yaml("other", "type: NodePort"));
        int port = fixture.nodePorts("other").getFirst();
        give("web", List.of(IP), 50_000);
        assertThat(fixture.events()).containsExactly("Service shop/web PortOutOfRange");
        give("web", List.of(IP), port);
        assertThat(fixture.events()).containsExactly("Service shop/other PortAlreadyAllocated");
        fixture.delete("other");
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(1);
    }

    @Test
    void repairsGoOnWhenTheClockIsSetBack() {
        give("web", List.of("10.200.0.1"), 0);
        fixture.advance(Duration.ofDays(-1));
        fixture.advance(Duration.ofMinutes(3));
        assertThat(fixture.ledger().events(fixture.now()))
                .filteredOn(event -> event.reason().equals("ClusterIPOutOfRange"))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(3));
    }

    @Test
    void theSameEventAgainOnlyCounts() {
        give("web", List.of("10.200.0.1"), 0);
        fixture.advance(Duration.ofMinutes(3));
        fixture.advance(Duration.ofMinutes(3));
        assertThat(fixture.ledger().events(fixture.now()))
                .filteredOn(event -> event.reason().equals("ClusterIPOutOfRange"))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(3));
        fixture.disk().remove(LedgerFixture.service("web"));
        fixture.delete("web");
        fixture.advance(Duration.ofMinutes(61));
        assertThat(fixture.events()).isEmpty();
    }
}
