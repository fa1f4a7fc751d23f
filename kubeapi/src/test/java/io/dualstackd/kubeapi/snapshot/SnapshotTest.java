package io.dualstackd.kubeapi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written is read again, every field of it, and nothing that is damaged. */
final class SnapshotTest {
    private static final String ORIGIN = "boot=1";

    private static Service plain(String name) {
        return Service.builder("ns", name)
                .ports(List.of(new Service.Port("", Proto.TCP, 80, 0)))
                .build();
    }

    /** A Service that differs from {@link #plain} in every field. */
    private static Service full() {
        Ip first = Ip.parse("10.96.0.1");
        Ip second = Ip.parse("fd00::1");
        return Service.builder("other", "full-\u00e4")
                .proxyName(Optional.of("mine"))
                .type(Service.Type.LOAD_BALANCER)
                .clusterIps(
                        new Service.ClusterIp.Address(first),
                        List.of(first, second),
                        List.of(IpFamily.IPV4, IpFamily.IPV6))
                .ports(List.of(
                        new Service.Port("a", Proto.UDP, 53, 30_053), new Service.Port("b", Proto.SCTP, 65_535, 0)))
                .externalIps(List.of(Ip.parse("203.0.113.1"), Ip.parse("2001:db8::1")))
                .ingress(List.of(
                        new Service.Ingress(Ip.parse("198.51.100.1"), Service.IpMode.PROXY),
                        new Service.Ingress(Ip.parse("2001:db8::2"), Service.IpMode.VIP)))
                .loadBalancerSourceRanges(List.of(IpPrefix.parse("192.0.2.0/25"), IpPrefix.parse("2001:db8::/32")))
                .sessionAffinity(new Service.SessionAffinity.ClientIp(Duration.ofDays(1)))
                .externalTrafficPolicy(Service.Policy.LOCAL)
                .internalTrafficPolicy(Service.Policy.LOCAL)
                .healthCheckNodePort(32_000)
                .selector(Optional.of(new PodSelector(
                        Map.of("app", "web", "tier", ""),
                        List.of(new PodSelector.Target.Numbered(8080), new PodSelector.Target.Named("metrics")),
                        true)))
                .externalName("example.org")
                .publishNotReadyAddresses(true)
                .created(1_790_000_000L)
                .build();
    }

    private static EndpointSlice slice(String name, EndpointSlice.Endpoint... endpoints) {
        return new EndpointSlice(
                "ns",
                name,
                Optional.of("web"),
                false,
                EndpointSlice.AddressType.IPV4,
                List.of(new EndpointSlice.Port(Optional.of("http"), Proto.TCP, OptionalInt.of(8080))),
                List.of(endpoints),
                Optional.empty());
    }

    private static EndpointSlice fullSlice() {
        EndpointSlice.Conditions conditions =
                new EndpointSlice.Conditions(Optional.of(false), Optional.of(true), Optional.empty());
        return new EndpointSlice(
                "other",
                "full",
                Optional.empty(),
                true,
                EndpointSlice.AddressType.IPV6,
                List.of(
                        new EndpointSlice.Port(Optional.empty(), Proto.UDP, OptionalInt.empty()),
                        new EndpointSlice.Port(Optional.of(""), Proto.SCTP, OptionalInt.of(0))),
                List.of(
                        new EndpointSlice.Endpoint(
                                Ip.parse("fd00::1"), conditions, "n1", Set.of("a", "b"), Set.of("n1"), "host"),
                        new EndpointSlice.Endpoint(
                                Ip.parse("fd00::2"), EndpointSlice.Conditions.NONE, "", Set.of(), Set.of())),
                Optional.of(Instant.parse("2026-01-02T03:04:05.000000006Z")));
    }

    private static byte[] written(List<ApiObject> objects) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SnapshotWriter writer = new SnapshotWriter(out, ORIGIN)) {
            writer.begin("/api/v1/services?a=b", "4711");
            for (int i = 0; i < objects.size(); i++) {
                writer.put(objects.get(i), Long.MAX_VALUE - i);
            }
            writer.end();
            writer.begin("/nothing", "0");
            writer.end();
        }
        return out.toByteArray();
    }

    private static List<ApiObject> read(byte[] bytes) throws IOException {
        List<ApiObject> objects = new ArrayList<>();
        SnapshotReader.check(new ByteArrayInputStream(bytes));
        try (SnapshotReader reader =
                SnapshotReader.open(new ByteArrayInputStream(bytes), ORIGIN).orElseThrow()) {
            assertThat(reader.next()).contains(new SnapshotReader.Resource("/api/v1/services?a=b", "4711"));
            reader.objects((object, version) -> {
                assertThat(version).isEqualTo(Long.MAX_VALUE - objects.size());
                objects.add(object);
            });
            assertThat(reader.next()).contains(new SnapshotReader.Resource("/nothing", "0"));
            reader.objects((object, version) -> objects.add(object));
            assertThat(reader.next()).isEmpty();
        }
        return objects;
    }

    @Test
    void everyFieldIsKept() throws Exception {
        List<ApiObject> objects = List.of(
                plain("web"),
                full(),
                slice("empty"),
                slice(
                        "one",
                        new EndpointSlice.Endpoint(
                                Ip.parse("10.0.0.1"), EndpointSlice.Conditions.NONE, "", Set.of(), Set.of())),
                fullSlice(),
                full());

        assertThat(read(written(objects))).isEqualTo(objects);
    }

    /** A new field must be in the format, and in the test above. */
    @Test
    void theFullObjectsDifferFromPlainOnesInEveryField() throws Exception {
        assertDiffer(Service.class, plain("web"), full());
        assertDiffer(EndpointSlice.class, slice("one"), fullSlice());
        assertThat(fullSlice().service()).isEmpty();
    }

    private static <R extends Record> void assertDiffer(Class<R> type, R plain, R full) throws Exception {
        for (RecordComponent field : type.getRecordComponents()) {
            assertThat(field.getAccessor().invoke(full))
                    .as(field.getName())
                    .isNotEqualTo(field.getAccessor().invoke(plain));
        }
    }

    @Test
    void headlessServicesAndOnesWithoutAddressAreKept() throws Exception {
        List<ApiObject> objects = List.of(
                Service.builder("ns", "headless")
                        .clusterIps(new Service.ClusterIp.None(), List.of(), List.of(IpFamily.IPV6))
                        .build(),
                Service.builder("ns", "external")
                        .type(Service.Type.EXTERNAL_NAME)
                        .created(-1)
                        .build());

        assertThat(read(written(objects))).isEqualTo(objects);
    }

    @Test
    void manyObjectsAreMoreThanOneBuffer() throws Exception {
        List<ApiObject> objects = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            objects.add(plain("web-" + i));
            objects.add(slice("web-" + i, endpoints(1 + i % 300)));
        }

        assertThat(read(written(objects))).isEqualTo(objects);
    }

    private static EndpointSlice.Endpoint[] endpoints(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new EndpointSlice.Endpoint(
                        new Ip.V4(0x0a000000 + i), EndpointSlice.Conditions.NONE, "n" + i % 7, Set.of(), Set.of()))
                .toArray(EndpointSlice.Endpoint[]::new);
    }

    /** 230 bytes in the wire's encoding of an ordinary slice, a kilobyte as an API server sends it. */
    @Test
    void aSliceOfTenTakesAHundredBytes() throws Exception {
        int one = written(List.of(slice("web-abcde", endpoints(10)))).length;
        int two = written(List.of(slice("web-abcde", endpoints(10)), slice("web-fghij", endpoints(10)))).length;

        assertThat(two - one).isLessThan(110);
    }

    @Test
    void anyDamageIsNoticed() throws Exception {
        byte[] good = written(List.of(plain("web"), slice("web-1", endpoints(3))));
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 4;
            assertThatThrownBy(() -> SnapshotReader.check(new ByteArrayInputStream(bad)))
                    .as("byte " + at)
                    .isInstanceOf(IOException.class);
        }
        SnapshotReader.check(new ByteArrayInputStream(good));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 20, 60})
    void whatIsCutOffIsNoticed(int length) throws Exception {
        byte[] part = Arrays.copyOf(written(List.of(plain("web"))), length);

        assertThatThrownBy(() -> SnapshotReader.check(new ByteArrayInputStream(part)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void theChecksumMayBeInTwoPartsOfTheFile() throws Exception {
        for (int length = (1 << 16) - 12; length < (1 << 16) + 12; length++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (SnapshotWriter writer = new SnapshotWriter(out, "x".repeat(length))) {
                writer.begin("/", "1");
                writer.end();
            }
            SnapshotReader.check(new ByteArrayInputStream(out.toByteArray()));
        }
    }

    @Test
    void anotherOriginIsNotRead() throws Exception {
        assertThat(SnapshotReader.open(new ByteArrayInputStream(written(List.of())), "boot=2"))
                .isEmpty();
    }
}
