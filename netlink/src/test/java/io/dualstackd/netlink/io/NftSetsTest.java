package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.SetUserData;
import io.dualstackd.netlink.nft.userdata.Typeof;
import io.dualstackd.netlink.nft.userdata.Typeof.Header;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sets and maps written by us, beside the same ones written by {@code nft}: both listings must be equal, and ours load again. */
@Tag("kernel")
class NftSetsTest {
    private static final TableName T4 = new TableName(NftFamily.IP, "dualstackd");
    private static final TableName T6 = new TableName(NftFamily.IP6, "dualstackd");
    private static final Typeof RANDOM = new Typeof.RandomNumber(65536);

    @Test
    void listedAsIfNftHadWrittenThem() throws Exception {
        try (NetNs reference = FreshNetNs.create();
                NetNs ours = FreshNetNs.create();
                NftClient writer = NftClient.open(ours);
                NftClient reader = NftClient.open(reference)) {
            new NetNsCommands(reference).feed(script(), "nft", "-f", "-");
            assertThat(writer.apply(everything())).isInstanceOf(NftOutcome.Applied.class);

            for (TableName table : List.of(T4, T6)) {
                assertThat(writer.sets(table))
                        .extracting(NftSetsTest::allOf)
                        .isEqualTo(reader.sets(table).stream()
                                .map(NftSetsTest::allOf)
                                .toList());
            }
            String listed = new NetNsCommands(ours).ruleset();
            assertThat(listed).isEqualTo(new NetNsCommands(reference).ruleset());
            assertThat(new NetNsCommands(ours).run("nft", "-j", "list", "ruleset"))
                    .isEqualTo(new NetNsCommands(reference).run("nft", "-j", "list", "ruleset"));
            for (TableName table : List.of(T4, T6)) {
                for (NftSet set : writer.sets(table)) {
                    assertThat(writer.elements(set.name()))
                            .containsExactlyInAnyOrderElementsOf(reader.elements(set.name()));
                }
            }
            new NetNsCommands(ours).run("nft", "flush", "ruleset");
            new NetNsCommands(ours).feed(listed, "nft", "-f", "-");
            assertThat(new NetNsCommands(ours).ruleset()).isEqualTo(listed);
        }
    }

    /** The size of a set is one for which the kernel has no memory; nothing else is refused. */
    @Test
    void noMemoryIsSaidAtOnce() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient nft = NftClient.open(ns)) {
            NftSet huge = NftSet.set(T4.set("huge"), NftType.concat(NftType.IPV4_ADDR, NftType.INET_SERVICE))
                    .withSize(0x2fff_ffff);
            NftBatch batch = NftBatch.begin()
                    .add(NftTable.of(T4))
                    .add(NftChain.of(T4.chain("c")))
                    .add(huge)
                    .add(NftChain.of(T4.chain("d")));
            assertThat(nft.apply(batch))
                    .isInstanceOfSatisfying(
                            NftOutcome.Refused.class,
                            refused -> assertThat(refused.problems())
                                    .singleElement()
                                    .satisfies(
                                            problem ->
                                                    assertThat(problem.index()).isNegative(),
                                            problem -> assertThat(
                                                            problem.refusal().errno())
                                                    .isEqualTo(Errno.ENOMEM)));
            assertThat(new NetNsCommands(ns).ruleset()).isEmpty();
            assertThat(nft.apply(NftBatch.begin().add(NftTable.of(T4)))).isInstanceOf(NftOutcome.Applied.class);
        }
    }

    private static String allOf(NftSet set) {
        return "%s flags %x key %x %d data %x %d timeout %d size %d fields %s handle %d user %s"
                .formatted(
                        set.name(),
                        set.flags(),
                        set.keyType(),
                        set.keyLength(),
                        set.dataType(),
                        set.dataLength(),
                        set.timeoutMillis(),
                        set.size(),
                        set.fields(),
                        set.handle(),
                        set.userData());
    }

    private static NftBatch everything() {
        NftBatch batch = NftBatch.begin()
                .add(new NftTable(T4, 0, 0, 0, UserData.comment("of dualstackd")))
                .add(NftTable.of(T6))
                .add(NftChain.of(T4.chain("pick-1")));
        serviceIps(batch);
        endpoints(batch);
        affinity(batch);
        ranges(batch);
        sixes(batch);
        NftSet marks = NftSet.map(T4.set("marks"), NftType.MARK, NftType.IPV4_ADDR)
                .withUserData(SetUserData.plain(NftType.MARK, NftType.IPV4_ADDR, ""));
        return batch.add(marks).addElements(marks.name(), List.of(NftElement.of(Bytes.u32(0x10), ip("10.0.0.1"))));
    }

    private static void serviceIps(NftBatch batch) {
        NftType key = NftType.concat(NftType.IPV4_ADDR, NftType.INET_PROTO, NftType.INET_SERVICE);
        NftSet map = NftSet.map(T4.set("service-ips"), key, NftType.VERDICT)
                .withSize(1000)
                .withUserData(SetUserData.of(
                        Typeof.concat(Header.IP_DADDR, Typeof.MetaKey.L4PROTO, Header.TH_DPORT),
                        new Typeof.ToVerdict(),
                        "the addresses of Services"));
        Verdict pick = new Verdict.Goto("pick-1");
        batch.add(map)
                .addElements(
                        map.name(),
                        List.of(NftElement.of(key.value(ip("10.96.0.1"), proto(Proto.TCP), Bytes.u16be(443)), pick)
                                .withComment("default/kubernetes:https")));
    }

    private static void endpoints(NftBatch batch) {
        NftType key = NftType.concat(NftType.IPV4_ADDR, NftType.INET_PROTO, NftType.INET_SERVICE, NftType.INTEGER);
        NftType data = NftType.concat(NftType.IPV4_ADDR, NftType.INET_SERVICE);
        NftSet map = NftSet.map(T4.set("endpoints"), key, data)
                .withUserData(SetUserData.of(
                        Typeof.concat(Header.IP_DADDR, Typeof.MetaKey.L4PROTO, Header.TH_DPORT, RANDOM),
                        Typeof.concat(Header.IP_DADDR, Header.TH_DPORT),
                        ""));
        Bytes slot = key.value(ip("10.96.0.1"), proto(Proto.TCP), Bytes.u16be(443), Bytes.u32(0));
        batch.add(map)
                .addElements(
                        map.name(),
                        List.of(NftElement.of(slot, data.value(ip("10.0.0.5"), Bytes.u16be(6443)))
                                .withComment("default/kubernetes")));
    }

    private static void affinity(NftBatch batch) {
        NftType data = NftType.concat(NftType.IPV4_ADDR, NftType.INET_SERVICE);
        NftType key = NftType.concat(NftType.IPV4_ADDR, NftType.IPV4_ADDR, NftType.INET_SERVICE);
        batch.add(NftSet.map(T4.set("affinity"), key, data)
                .dynamic(10_800_000, 65535)
                .withUserData(SetUserData.of(
                        Typeof.concat(Header.IP_SADDR, Header.IP_DADDR, Header.TH_DPORT),
                        Typeof.concat(Header.IP_DADDR, Header.TH_DPORT),
                        "")));
    }

    private static void ranges(NftBatch batch) {
        NftType key = NftType.concat(NftType.IPV4_ADDR, NftType.IPV4_ADDR);
        NftSet ranges = NftSet.set(T4.set("ranges"), key)
                .withIntervals(key)
                .withUserData(SetUserData.of(Typeof.concat(Header.IP_DADDR, Header.IP_SADDR), null, ""));
        NftSet pods = NftSet.set(T4.set("pods"), NftType.IPV4_ADDR)
                .withIntervals(NftType.IPV4_ADDR)
                .withUserData(SetUserData.plain(NftType.IPV4_ADDR, null, ""));
        Bytes service = ip("192.0.2.1");
        batch.add(ranges)
                .addElements(
                        ranges.name(),
                        List.of(
                                NftElement.of(key.value(service, ip("10.0.0.0")))
                                        .to(key.value(service, ip("10.255.255.255"))),
                                NftElement.of(key.value(service, ip("172.16.0.1")))
                                        .to(key.value(service, ip("172.16.0.9")))))
                .add(pods)
                .addElements(
                        pods.name(),
                        List.of(intervalEnd("0.0.0.0"), NftElement.of(ip("10.244.0.0")), intervalEnd("10.245.0.0")));
    }

    private static void sixes(NftBatch batch) {
        NftType data = NftType.concat(NftType.IPV6_ADDR, NftType.INET_SERVICE);
        Typeof held = Typeof.concat(Header.IP6_DADDR, Header.TH_DPORT);
        NftType byVip = NftType.concat(NftType.IPV6_ADDR, NftType.INET_PROTO, NftType.INET_SERVICE, NftType.INTEGER);
        NftSet endpoints = NftSet.map(T6.set("endpoints"), byVip, data)
                .withUserData(SetUserData.of(
                        Typeof.concat(Header.IP6_DADDR, Typeof.MetaKey.L4PROTO, Header.TH_DPORT, RANDOM), held, ""));
        NftType byPort = NftType.concat(NftType.INET_PROTO, NftType.INET_SERVICE, NftType.INTEGER);
        NftSet nodePorts = NftSet.map(T6.set("nodeports"), byPort, data)
                .withUserData(SetUserData.of(Typeof.concat(Typeof.MetaKey.L4PROTO, Header.TH_DPORT, RANDOM), held, ""));
        NftType from = NftType.concat(NftType.IPV6_ADDR, NftType.INET_SERVICE, NftType.MARK, NftType.IFNAME);
        NftSet froms = NftSet.set(T6.set("froms"), from)
                .withUserData(SetUserData.of(
                        Typeof.concat(Header.IP6_SADDR, Header.TH_SPORT, Typeof.MetaKey.MARK, Typeof.MetaKey.IIFNAME),
                        null,
                        "where from"));
        Bytes device = Bytes.utf8("eth0").padTo(16);
        batch.add(froms)
                .addElements(
                        froms.name(),
                        List.of(NftElement.of(from.value(ip("fd00::1"), Bytes.u16be(5), Bytes.u32(7), device))));
        NftType source = NftType.concat(NftType.IPV6_ADDR, NftType.INET_SERVICE);
        NftSet sources = NftSet.set(T6.set("sources"), source).withUserData(SetUserData.plain(source, null, ""));
        batch.add(endpoints)
                .addElements(
                        endpoints.name(),
                        List.of(NftElement.of(
                                byVip.value(ip("fd00::1"), proto(Proto.SCTP), Bytes.u16be(443), Bytes.u32(65535)),
                                data.value(ip("fd00:1::5"), Bytes.u16be(6443)))))
                .add(nodePorts)
                .addElements(
                        nodePorts.name(),
                        List.of(NftElement.of(
                                byPort.value(proto(Proto.UDP), Bytes.u16be(30000), Bytes.u32(7)),
                                data.value(ip("fd00:1::5"), Bytes.u16be(53)))))
                .add(sources)
                .addElements(sources.name(), List.of(NftElement.of(source.value(ip("fd00::1"), Bytes.u16be(80)))));
    }

    private static NftElement intervalEnd(String ip) {
        return new NftElement(
                ip(ip), Bytes.EMPTY, MapData.NOTHING, NftElement.INTERVAL_END, 0, 0, Bytes.EMPTY, List.of());
    }

    private static Bytes ip(String text) {
        return Bytes.of(Ip.parse(text));
    }

    private static Bytes proto(Proto proto) {
        return Bytes.u8(proto.number());
    }

    private static String script() throws Exception {
        try (var in = NftSetsTest.class.getResourceAsStream("/rules/maps.nft")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
