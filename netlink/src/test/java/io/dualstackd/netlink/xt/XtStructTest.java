package io.dualstackd.netlink.xt;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our bytes against those a C program writes through the kernel's headers ({@code structs.c}). */
@Tag("kernel")
class XtStructTest {
    private static final Map<String, XtMatch> MATCHES = Map.ofEntries(
            Map.entry("comment", new XtComment("a comment")),
            Map.entry("addrtype", new XtAddrType(XtAddrType.LOCAL, 2, XtAddrType.INVERT_DESTINATION)),
            Map.entry("conntrack", new XtConntrack(0x86, true)),
            Map.entry("statistic", new XtRandom(715827883, true)),
            Map.entry(
                    "recent",
                    new XtRecent(
                            10800,
                            3,
                            XtRecent.CHECK | XtRecent.REAP,
                            true,
                            "KUBE-SEP-X",
                            true,
                            XtRecent.WHOLE_ADDRESS)),
            Map.entry("mark", new XtMark(0x4000, 0xff00, true)),
            Map.entry(
                    "physdev",
                    new XtPhysdev(
                            new XtInterface("cali", true),
                            new XtInterface("eth0", false),
                            XtPhysdev.OUT,
                            XtPhysdev.IN | XtPhysdev.OUT)),
            Map.entry("tcp", new XtTcp(1, 2, 3, 4, 5, 6, 2, 2)),
            Map.entry("udp", new XtUdp(1, 2, 3, 4, 1)),
            Map.entry("sctp", new XtSctp(80, 90, 5, 7, 3, 1)),
            Map.entry("nfacct", new XtNfacct("dropped")),
            Map.entry("multiport", new XtMultiport(1, List.of(80, 90, 100), 2, true)));

    private static final Map<String, XtTarget> TARGETS = Map.of(
            "DNAT-4", new XtDnat(Ip.parse("10.1.2.3"), 8080),
            "DNAT-6", new XtDnat(Ip.parse("fd00::5"), 0),
            "MASQUERADE-4", new XtMasquerade(IpFamily.IPV4, XtMasquerade.RANDOM_FULLY | XtMasquerade.PORTS, 1024, 2048),
            "MASQUERADE-6", XtMasquerade.of(IpFamily.IPV6, true),
            "MARK", new XtSetMark(0x4000, 0x4001),
            "REJECT-4", XtReject.of(IpFamily.IPV4),
            "REJECT-6", XtReject.of(IpFamily.IPV6));

    @Test
    void everyMatchHasTheBytesOfTheHeaders() throws Exception {
        Map<String, Bytes> golden = golden();
        MATCHES.forEach((name, match) -> {
            Bytes expected = Objects.requireNonNull(golden.get(name), name);
            assertThat(match.struct().size()).as(name).isEqualTo(expected.length());
            assertThat(match.info()).as(name).isEqualTo(expected.padTo(XtStruct.align(expected.length())));
            assertThat(XtMatch.read(match.struct().name(), match.struct().revision(), match.info()))
                    .isEqualTo(match);
        });
    }

    @Test
    void everyTargetHasTheBytesOfTheHeaders() throws Exception {
        Map<String, Bytes> golden = golden();
        TARGETS.forEach((name, target) -> {
            Bytes expected = Objects.requireNonNull(golden.get(name), name);
            IpFamily family = name.endsWith("6") ? IpFamily.IPV6 : IpFamily.IPV4;
            assertThat(target.struct().size()).as(name).isEqualTo(expected.length());
            assertThat(target.info()).as(name).isEqualTo(expected.padTo(XtStruct.align(expected.length())));
            assertThat(XtTarget.read(target.struct().name(), target.struct().revision(), target.info(), family))
                    .isEqualTo(target);
        });
    }

    @Test
    void goldenFileMatchesCompiler(@TempDir Path directory) throws Exception {
        if (Stream.of("/usr/bin/gcc", "/usr/bin/cc").noneMatch(path -> Files.isExecutable(Path.of(path)))) {
            System.err.println("no C compiler here: structs.golden is believed");
            return;
        }
        String program = directory.resolve("structs").toString();
        run("cc", "-o", program, Path.of(resource("structs.c").toURI()).toString());
        assertThat(run(program)).isEqualTo(text("structs.golden"));
    }

    @Test
    void everyRecordIsAmongTheGoldens() {
        assertThat(classes(MATCHES.values())).containsExactlyInAnyOrderElementsOf(cases(XtMatch.class));
        assertThat(classes(TARGETS.values())).containsExactlyInAnyOrderElementsOf(cases(XtTarget.class));
    }

    @Test
    void unrepresentableValueKeepsItsBytes() {
        byte[] nth = new XtRandom(5, false).info().toArray();
        nth[0] = 1;
        assertThat(XtMatch.read("statistic", 0, Bytes.of(nth)))
                .isEqualTo(new XtMatch.Other("statistic", 0, Bytes.of(nth)));
        assertThat(XtMatch.read("recent", 0, Bytes.zeros(212))).isInstanceOf(XtMatch.Other.class);
        assertThat(XtMatch.read("comment", 0, Bytes.ofHex("61".repeat(256)))).isInstanceOf(XtMatch.Other.class);
        assertThat(XtMatch.read("comment", 0, Bytes.ofHex("ff00").padTo(256))).isInstanceOf(XtMatch.Other.class);
        assertThat(XtMatch.read("comment", 0, Bytes.EMPTY)).isInstanceOf(XtMatch.Other.class);
        assertThat(XtTarget.read("LOG", 0, Bytes.zeros(32), IpFamily.IPV4))
                .isEqualTo(new XtTarget.Other("LOG", 0, Bytes.zeros(32)));
    }

    @Test
    void theKernelsOwnBytesDoNotCount() {
        XtRandom match = new XtRandom(5, false);
        byte[] inUse = match.info().toArray();
        inUse[20] = 77;
        assertThat(XtMatch.read("statistic", 0, Bytes.of(inUse))).isEqualTo(match);
    }

    @Test
    void printedAsIptablesSaveDoes() {
        assertThat(MATCHES.get("conntrack")).hasToString("-m conntrack ! --ctstate ESTABLISHED,RELATED,DNAT");
        assertThat(new XtRandom(715827883, false))
                .hasToString("-m statistic --mode random --probability 0.33333333349");
        assertThat(XtRecent.seenWithin("L", 10800))
                .hasToString("-m recent --rcheck --seconds 10800 --reap --name L --rsource");
        assertThat(MATCHES.get("physdev")).hasToString("-m physdev --physdev-in cali+ ! --physdev-out eth0");
        assertThat(MATCHES.get("multiport")).hasToString("-m multiport ! --dports 80,90:100");
        assertThat(XtTcp.toPort(80)).hasToString("-m tcp --dport 80");
        assertThat(XtUdp.toPort(80)).hasToString("-m udp --dport 80");
        assertThat(XtSctp.toPort(80)).hasToString("-m sctp --dport 80");
        assertThat(XtAddrType.localDestination(true)).hasToString("-m addrtype ! --dst-type LOCAL");
        assertThat(TARGETS.get("DNAT-4")).hasToString("-j DNAT --to-destination 10.1.2.3:8080");
        assertThat(TARGETS.get("DNAT-6")).hasToString("-j DNAT --to-destination fd00::5");
        assertThat(TARGETS.get("MASQUERADE-4")).hasToString("-j MASQUERADE --to-ports 1024-2048 --random-fully");
        assertThat(TARGETS.get("REJECT-6")).hasToString("-j REJECT --reject-with icmp6-port-unreachable");
        assertThat(TARGETS.get("MARK")).hasToString("-j MARK --set-xmark 0x4000/0x4001");
    }

    private static List<Class<?>> classes(Iterable<?> values) {
        List<Class<?>> classes = new ArrayList<>();
        for (Object value : values) {
            if (!classes.contains(value.getClass())) {
                classes.add(value.getClass());
            }
        }
        return classes;
    }

    private static List<Class<?>> cases(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .filter(c -> c != XtMatch.Other.class && c != XtTarget.Other.class)
                .<Class<?>>map(c -> c)
                .toList();
    }

    private static Map<String, Bytes> golden() throws Exception {
        Map<String, Bytes> golden = new LinkedHashMap<>();
        text("structs.golden").lines().forEach(line -> {
            String[] parts = line.split(" ", 2);
            golden.put(parts[0], Bytes.ofHex(parts[1]));
        });
        return golden;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static java.net.URL resource(String name) {
        return Objects.requireNonNull(XtStructTest.class.getResource("/xt/" + name), name);
    }

    private static String text(String name) throws Exception {
        return Files.readString(Path.of(resource(name).toURI()));
    }
}
