package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.Room.yaml;
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

/** What does not fit together is mended, or said. */
final class AllocationRepairTest {
    private static final IpAddress.Parent WEB = IpAddress.Parent.service("shop", "web");
    private static final String IP = "10.96.0.80";

    private final Room room = new Room(Room.DUAL);

    @BeforeEach
    void web() {
        room.say(yaml("web", "clusterIP: " + IP));
    }

    private static ObjectKey key(String ip) {
        return new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip);
    }

    private void note(String ip, IpAddress.Parent parent, boolean managed) {
        room.disk().put(key(ip), new Entry.AddressEntry(room.now(), new IpAddress(Ip.parse(ip), parent, managed)));
        room.restart();
    }

    /** The Service has other addresses and node ports on disk than it was given. */
    private void give(String name, List<String> ips, int nodePort) {
        Entry.ServiceEntry entry =
                (Entry.ServiceEntry) Objects.requireNonNull(room.disk().get(Room.service(name)));
        ServiceFields fields = ServiceFields.of(entry.object());
        room.disk()
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
        room.restart();
    }

    private Optional<IpAddress.Parent> parent(String ip) {
        return room.ledger()
                .find(key(ip))
                .map(entry -> ((Entry.AddressEntry) entry).address().parent());
    }

    @Test
    void whereAllIsWellNothingHappens() {
        assertThat(room.pass(Duration.ofMinutes(4))).isEmpty();
        assertThat(room.events()).isEmpty();
    }

    @Test
    void anAddressThatIsNotNotedIs() {
        room.disk().remove(key(IP));
        room.restart();
        assertThat(room.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
        room.say(yaml("thief", "clusterIP: " + IP));
        assertThat(room.ips("thief")).isEmpty();
    }

    @Test
    void anAddressOfSomethingElseBecomesItsServices() {
        note(IP, new IpAddress.Parent("example.org", "gateways", "", "west"), true);
        assertThat(room.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void anAddressOfAServiceThatIsMissingBecomesItsServices() {
        note(IP, IpAddress.Parent.service("shop", "missing"), true);
        assertThat(room.events()).containsExactly("Service shop/web ClusterIPNotAllocated");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void labelsAreSetRightInSilence() {
        note(IP, WEB, false);
        assertThat(room.events()).isEmpty();
        assertThat(((Entry.AddressEntry) room.ledger().find(key(IP)).orElseThrow())
                        .address()
                        .managed())
                .isTrue();
    }

    @Test
    void ofTwoServicesWithOneAddressTheOtherIsTold() {
        room.say(yaml("other"));
        room.disk().remove(key(room.ips("other").getFirst()));
        give("other", List.of(IP), 0);
        assertThat(room.events()).containsExactly("Service shop/other ClusterIPAlreadyAllocated");
        assertThat(parent(IP)).hasValue(WEB);
        room.delete("other");
        assertThat(parent(IP)).hasValue(WEB);
        room.say(yaml("thief", "clusterIP: " + IP));
        assertThat(room.ips("thief")).isEmpty();
    }

    @Test
    void addressesThatAreNoneAndThoseOfNoNetworkAreTold() {
        give("web", List.of("10.96.0.0.1"), 0);
        assertThat(room.events()).contains("Service shop/web ClusterIPNotValid");
        give("web", List.of("10.200.0.1"), 0);
        assertThat(room.events()).containsExactly("Service shop/web ClusterIPOutOfRange");
    }

    @Test
    void anAddressWhoseServiceIsMissingIsFreeAfterAMinute() {
        note("10.96.0.7", IpAddress.Parent.service("shop", "missing"), true);
        assertThat(parent("10.96.0.7")).isPresent();
        room.pass(Duration.ofMinutes(3));
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(room.events()).containsExactly("IPAddress 10.96.0.7 IPAddressNotAllocated");
        room.say(yaml("b", "clusterIP: 10.96.0.7"));
        assertThat(room.ips("b")).containsExactly("10.96.0.7");
    }

    @Test
    void anAddressItsServiceDoesNotHaveIsFreeSoon() {
        note("10.96.0.7", WEB, true);
        assertThat(parent("10.96.0.7")).isPresent();
        room.pass(Duration.ofMinutes(3));
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(room.events()).containsExactly("IPAddress 10.96.0.7 IPAddressWrongReference");
        assertThat(parent(IP)).hasValue(WEB);
    }

    @Test
    void anAddressOfNoServiceIsFreeAtOnceUnlessItIsAReservation() {
        note("10.96.0.7", new IpAddress.Parent("example.org", "gateways", "", "west"), true);
        assertThat(parent("10.96.0.7")).isEmpty();
        assertThat(room.events()).containsExactly("IPAddress 10.96.0.7 IPAddressNotAllocated");
        note("10.96.0.8", new IpAddress.Parent("example.org", "gateways", "", "west"), false);
        assertThat(parent("10.96.0.8")).isPresent();
    }

    @Test
    void nodePortsOutsideTheRangeAndThoseOfTwoAreTold() {
        room.say(yaml("web", "clusterIP: " + IP, "type: NodePort"), yaml("other", "type: NodePort"));
        int port = room.nodePorts("other").getFirst();
        give("web", List.of(IP), 50_000);
        assertThat(room.events()).containsExactly("Service shop/web PortOutOfRange");
        give("web", List.of(IP), port);
        assertThat(room.events()).containsExactly("Service shop/other PortAlreadyAllocated");
        room.delete("other");
        assertThat(room.ledger().figures().usedPorts()).isEqualTo(1);
    }

    @Test
    void theSameEventAgainOnlyCounts() {
        give("web", List.of("10.200.0.1"), 0);
        room.pass(Duration.ofMinutes(3));
        room.pass(Duration.ofMinutes(3));
        assertThat(room.ledger().events(room.now()))
                .filteredOn(event -> event.reason().equals("ClusterIPOutOfRange"))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(3));
        room.disk().remove(Room.service("web"));
        room.delete("web");
        room.pass(Duration.ofMinutes(61));
        assertThat(room.events()).isEmpty();
    }
}
