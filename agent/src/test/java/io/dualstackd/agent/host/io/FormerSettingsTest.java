package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.agent.host.io.FormerSettings.Outcome;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In a namespace of the test's own. */
@Tag("kernel")
final class FormerSettingsTest {
    private static final String FORWARD = "net/ipv4/ip_forward";
    private static final String LOCALNET = "net/ipv4/conf/all/route_localnet";
    private static final String TTL = "net/ipv4/ip_default_ttl";

    @TempDir
    private Path folder;

    private NetNs ns;
    private KernelSettings kernel;

    @BeforeEach
    void prepare() throws Exception {
        ns = NetNs.create();
        Sysctl.write(ns, FORWARD, "0");
        Sysctl.write(ns, LOCALNET, "0");
        Sysctl.write(ns, TTL, "60");
        kernel = new KernelSettings(ns, Optional.of(memory()));
    }

    @AfterEach
    void end() {
        ns.close();
    }

    private Path state() {
        return folder.resolve("state");
    }

    /** As another process opens it. */
    private FormerSettings memory() throws Exception {
        return FormerSettings.in(state(), ns);
    }

    /** The kernel takes 1 to 255. */
    @Test
    void doesNotRecordAChangeThatTheKernelRefuses() throws Exception {
        assertThatThrownBy(() -> kernel.set(TTL, "0", "test")).isInstanceOf(IOException.class);
        assertThat(memory().isRecorded()).isFalse();
        kernel.set(TTL, "61", "test");
        assertThatThrownBy(() -> kernel.set(TTL, "0", "test")).isInstanceOf(IOException.class);
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(TTL, "60", "61"));
    }

    @Test
    void restoresFormerValuesInReverseOrder() throws Exception {
        kernel.set(FORWARD, "1", "test");
        kernel.set(LOCALNET, "1", "test");
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("1");
        assertThat(memory().restore())
                .containsExactly(new Outcome.Restored(LOCALNET, "0", "1"), new Outcome.Restored(FORWARD, "0", "1"));
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("0");
        assertThat(Sysctl.read(ns, LOCALNET)).isEqualTo("0");
        assertThat(memory().restore()).isEmpty();
        assertThat(state()).isEmptyDirectory();
    }

    @Test
    void unchangedSettingIsNotRemembered() throws Exception {
        Sysctl.write(ns, FORWARD, "1");
        kernel.set(FORWARD, "1", "test");
        assertThat(memory().restore()).isEmpty();
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("1");
    }

    @Test
    void severalChangesGoBackToTheFirstValue() throws Exception {
        kernel.set(TTL, "61", "test");
        new KernelSettings(ns, Optional.of(memory())).set(TTL, "62", "test");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(TTL, "60", "62"));
        kernel.set(TTL, "61", "test");
        kernel.set(TTL, "60", "test");
        assertThat(memory().restore()).isEmpty();
    }

    /** A value that another program set counts, whether before ours or after it. */
    @Test
    void keepsForeignValue() throws Exception {
        kernel.set(TTL, "61", "test");
        Sysctl.write(ns, TTL, "70");
        assertThat(memory().restore()).containsExactly(new Outcome.Foreign(TTL, "70"));
        assertThat(Sysctl.read(ns, TTL)).isEqualTo("70");

        kernel.set(TTL, "61", "test");
        Sysctl.write(ns, TTL, "80");
        kernel.set(TTL, "62", "test");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(TTL, "80", "62"));
    }

    private void replaceInFile(String pattern, String by) throws Exception {
        Path file = state().resolve("kernel-settings");
        String before = Files.readString(file);
        String after = before.replaceFirst(pattern, by);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(file, after);
    }

    @Test
    void formerValuesOfAnEarlierBootAreForgotten() throws Exception {
        kernel.set(FORWARD, "1", "test");
        replaceInFile("\nsince .", "\nsince x");
        assertThat(memory().restore()).isEmpty();
        try (NetNs other = NetNs.create()) {
            kernel.set(LOCALNET, "1", "test");
            assertThat(FormerSettings.in(state(), other).restore()).isEmpty();
        }
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(LOCALNET, "0", "1"));
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("1");
    }

    /** The kernel gives the number of the inode of a namespace that is gone to the next one. */
    @Test
    void formerValuesOfANamespaceWithTheSameInodeAreForgotten() throws Exception {
        kernel.set(FORWARD, "1", "test");
        replaceInFile(" cookie (\\d+)\n", " cookie 1$1\n");
        assertThat(memory().isRecorded()).isFalse();
        assertThat(memory().restore()).isEmpty();
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("1");
    }

    @Test
    void formerValuesThatAnEarlierReleaseRecordedAreRestored() throws Exception {
        kernel.set(FORWARD, "1", "test");
        replaceInFile(" cookie \\d+\n", "\n");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(FORWARD, "0", "1"));
    }

    @Test
    void reportsUnwritableSettingAndRemembersIt() throws Exception {
        kernel.set(FORWARD, "1", "test");
        Path file = state().resolve("kernel-settings");
        Files.writeString(file, Files.readString(file) + "nonsense\nkernel/panic 0 1\n");
        List<Outcome> outcomes = memory().restore();
        assertThat(outcomes).hasSize(2).contains(new Outcome.Restored(FORWARD, "0", "1"));
        assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Failed.class);
        assertThat(Files.readString(file)).contains("kernel/panic 0 1").doesNotContain(FORWARD);
    }

    /** The settings of IPVS go with its module, those of a link with the link; cleanup would fail until the next boot. */
    @Test
    void aSettingThatNoLongerExistsIsForgotten() throws Exception {
        kernel.set(FORWARD, "1", "test");
        Path file = state().resolve("kernel-settings");
        Files.writeString(file, Files.readString(file) + "net/ipv4/conf/gone0/route_localnet 0 1\n");
        assertThat(memory().restore())
                .containsExactly(
                        new Outcome.Gone("net/ipv4/conf/gone0/route_localnet"),
                        new Outcome.Restored(FORWARD, "0", "1"));
        assertThat(memory().restore()).isEmpty();
        assertThat(state()).isEmptyDirectory();
    }

    /** A read-only root, as in the init container. */
    @Test
    void aSettingIsChangedAlsoWhereNothingCanBeRemembered() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        new KernelSettings(ns, Optional.of(FormerSettings.in(file, ns))).set(FORWARD, "1", "test");
        assertThat(Sysctl.read(ns, FORWARD)).isEqualTo("1");
    }

    /** Writing 0 resets {@code force_forwarding} and {@code forwarding} of each interface, writing 1 sets the latter. */
    @ParameterizedTest
    @EnumSource
    void forwardingOfSingleInterfacesIsAsBefore(IpFamily family) throws Exception {
        String all = Forwarding.key(family);
        String folder = family == IpFamily.IPV4 ? "net/ipv4/conf/" : "net/ipv6/conf/";
        try (RouteClient links = RouteClient.open(ns)) {
            links.addVeth("eth0", "far");
        }
        Sysctl.write(ns, all, "0");
        Sysctl.write(ns, folder + "eth0/forwarding", "1");
        boolean force = family == IpFamily.IPV6
                && Sysctl.interfaces(ns, folder, "force_forwarding", "0").contains("eth0");
        if (force) {
            Sysctl.write(ns, folder + "eth0/force_forwarding", "1");
        }
        kernel.set(all, "1", "test");
        assertThat(Sysctl.read(ns, folder + "far/forwarding")).isEqualTo("1");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(all, "0", "1"));
        assertThat(Sysctl.interfaces(ns, folder, "forwarding", "1")).containsExactly("eth0");
        if (force) {
            assertThat(Sysctl.interfaces(ns, folder, "force_forwarding", "1")).containsExactly("eth0");
        }
    }

    /** As in a container where only some settings are writable. */
    @Test
    void forwardingOfAnInterfaceThatCannotBeWrittenIsTriedAgain() throws Exception {
        String loopback = "net/ipv4/conf/lo/forwarding";
        Sysctl.write(ns, loopback, "1");
        kernel.set(FORWARD, "1", "test");
        String said = new NetNsCommands(ns)
                .run(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "sh",
                        "-c",
                        "mount --bind $1 $1 && mount -o remount,bind,ro $1 && shift && exec \"$@\"",
                        "sh",
                        "/proc/sys/" + loopback,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RestoringChild.class.getName(),
                        state().toString());
        assertThat(said).contains("Failed[key=" + loopback, "Restored[key=" + FORWARD);
        assertThat(Sysctl.read(ns, loopback)).isEqualTo("0");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(loopback, "1", "0"));
        assertThat(Sysctl.read(ns, loopback)).isEqualTo("1");
        assertThat(state()).isEmptyDirectory();
    }

    /** The kernel switches them on when a router becomes a host. */
    @Test
    void redirectsThatWereNotAcceptedAreNotAfterwards() throws Exception {
        String redirects = "net/ipv4/conf/all/accept_redirects";
        Sysctl.write(ns, redirects, "0");
        kernel.set(FORWARD, "1", "test");
        memory().restore();
        assertThat(Sysctl.read(ns, redirects)).isEqualTo("0");

        Sysctl.write(ns, redirects, "1");
        kernel.set(FORWARD, "1", "test");
        memory().restore();
        assertThat(Sysctl.read(ns, redirects)).isEqualTo("1");
    }

    /** What another program changes while the daemon runs stays. */
    @Test
    void forwardingThatAnotherProgramSwitchedOffForAnInterfaceStaysOff() throws Exception {
        Sysctl.write(ns, "net/ipv4/conf/lo/forwarding", "1");
        kernel.set(FORWARD, "1", "test");
        Sysctl.write(ns, "net/ipv4/conf/lo/forwarding", "0");
        assertThat(memory().restore()).containsExactly(new Outcome.Restored(FORWARD, "0", "1"));
        assertThat(Sysctl.read(ns, "net/ipv4/conf/lo/forwarding")).isEqualTo("0");
    }
}
