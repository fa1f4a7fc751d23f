package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtStruct;
import io.dualstackd.netlink.xt.table.EntryDraft;
import io.dualstackd.netlink.xt.table.Replacement;
import io.dualstackd.netlink.xt.table.TableBlob;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTable;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables of iptables legacy in the kernel, compared with the legacy tools. */
@Tag("kernel")
class XtTableClientTest {
    /** What people have, and we know nothing of; with counters. */
    private static final String FOREIGN = """
            *filter
            :INPUT ACCEPT [11:1100]
            :FORWARD DROP [22:2200]
            :OUTPUT ACCEPT [33:3300]
            :ZULU - [0:0]
            :ALPHA - [0:0]
            [7:700] -A INPUT -i eth+ -p tcp -m multiport --dports 22,80:90 -m limit --limit 5/min -j ALPHA
            [8:800] -A INPUT -m length --length 100:200
            [1:100] -A FORWARD ! -i br0 -o veth+ -m hashlimit --hashlimit-upto 10/sec --hashlimit-burst 5 --hashlimit-name ssh -j ZULU
            [2:200] -A OUTPUT -m mark --mark 0x5/0xff -g ALPHA
            [3:300] -A ZULU -m conntrack --ctstate RELATED,ESTABLISHED -m comment --comment "it's \\"fine\\"" -j ACCEPT
            [4:400] -A ZULU -j LOG --log-prefix "zulu: " --log-level 7
            [5:500] -A ZULU -p udp -m udp --sport 53 -j ALPHA
            [6:600] -A ALPHA -m statistic --mode nth --every 3 --packet 0 -j RETURN
            COMMIT
            """;

    private NetNs ns;
    private NetNsCommands commands;

    @BeforeEach
    void make() throws Exception {
        ns = FreshNetNs.create();
        commands = new NetNsCommands(ns);
    }

    @AfterEach
    void close() {
        ns.close();
    }

    private static String tool(IpFamily family) {
        return family == IpFamily.IPV4 ? "iptables-legacy" : "ip6tables-legacy";
    }

    private void restore(IpFamily family) throws Exception {
        // A lock of its own: other tests run at the same time.
        commands.feed(FOREIGN, "env", "XTABLES_LOCKFILE=/dev/null", tool(family) + "-restore", "--counters");
    }

    private String saved(IpFamily family) throws Exception {
        return commands.saved(tool(family) + "-save");
    }

    private String counted(IpFamily family) throws Exception {
        StringBuilder kept = new StringBuilder();
        commands.run(tool(family) + "-save", "-c")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> kept.append(line).append('\n'));
        return kept.toString();
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfTheToolsRoundTrip(IpFamily family) throws Exception {
        restore(family);
        String before = counted(family);
        assertThat(before).contains("[22:2200]", "[7:700] -A INPUT -i eth+");
        try (XtTableClient kernel = XtTableClient.open(family, ns)) {
            TableBlob blob = kernel.read("filter");
            XtTable table = XtTableCodec.decode(blob);
            assertThat(table.chains().stream().map(XtChain::name))
                    .containsExactly("INPUT", "FORWARD", "OUTPUT", "ALPHA", "ZULU");
            Replacement same = XtTableCodec.encode(table, blob);
            assertThat(same.blob().entries()).isEqualTo(blob.entries());
            assertThat(same.blob().saysTheSame(blob)).isTrue();
            kernel.replace(same);
            assertThat(counted(family)).isEqualTo(before);
            assertThat(kernel.read("filter").saysTheSame(blob)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesOfOthersMoveAsideUnchanged(IpFamily family) throws Exception {
        restore(family);
        String before = counted(family);
        try (XtTableClient kernel = XtTableClient.open(family, ns)) {
            TableBlob blob = kernel.read("filter");
            XtTable table = XtTableCodec.decode(blob);
            List<XtChain> chains = new ArrayList<>(table.chains());
            XtChain input = chains.getFirst();
            List<XtEntry> rules = new ArrayList<>(input.rules());
            rules.addFirst(EntryDraft.of(family).match(new XtComment("ours")).jump("MIKE"));
            chains.set(0, input.with(rules));
            chains.add(4, table.newChain("MIKE"));
            kernel.replace(XtTableCodec.encode(table.with(chains), blob));
        }
        assertThat(counted(family))
                .isEqualTo(before.replace(":ZULU - [0:0]\n", ":MIKE - [0:0]\n:ZULU - [0:0]\n")
                        .replaceFirst("(?m)^\\[7:700]", "[0:0] -A INPUT -m comment --comment ours -j MIKE\n[7:700]"));
        assertThat(saved(family)).contains(":MIKE - [0:0]");
    }

    @Test
    void lookingMakesNoTable() throws Exception {
        for (IpFamily family : IpFamily.values()) {
            try (XtTableClient kernel = XtTableClient.open(family, ns)) {
                assertThat(kernel.tables()).isEmpty();
                assertThat(kernel.size("nat").entries()).isGreaterThan(4);
                assertThat(kernel.tables()).containsExactly("nat");
            }
        }
    }

    @Test
    void refusesOutdatedReplacement() throws Exception {
        try (XtTableClient kernel = XtTableClient.open(IpFamily.IPV4, ns)) {
            TableBlob empty = kernel.read("filter");
            restore(IpFamily.IPV4);
            String before = counted(IpFamily.IPV4);
            assertThatThrownBy(() -> kernel.replace(XtTableCodec.encode(XtTableCodec.decode(empty), empty)))
                    .isInstanceOfSatisfying(
                            SysException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EAGAIN));
            assertThat(counted(IpFamily.IPV4)).isEqualTo(before);
            assertThatThrownBy(() -> kernel.read("nonsense"))
                    .hasMessageStartingWith("read IPv4 table nonsense: ENOENT");
            assertThat(kernel.knowsMatch(XtStruct.COMMENT)).isTrue();
            assertThat(kernel.knowsMatch(new XtStruct("comment", 9, 256, 256))).isFalse();
            assertThat(kernel.knowsTarget(XtStruct.DNAT)).isTrue();
            assertThat(kernel.knowsTarget(new XtStruct("NONSENSE", 0, 8, 8))).isFalse();
        }
    }

    @Test
    void namesHolderOfTheLock(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("lock");
        XtablesLock lock = new XtablesLock(file, Duration.ofMillis(30));
        try (XtablesLock.Held ignored = lock.take()) {
            assertThatThrownBy(lock::take)
                    .isInstanceOf(XtablesLock.LockException.class)
                    .hasMessageMatching("process " + ProcessHandle.current().pid() + " \\(.+\\) has had the lock "
                            + file + " for 30 ms: rules of iptables legacy cannot be changed until it ends");
        }
        lock.take().close();
        assertThatThrownBy(new XtablesLock(Path.of("/nowhere/lock"), Duration.ZERO)::take)
                .hasMessageStartingWith("open /nowhere/lock: ENOENT")
                .hasMessageContaining("make the file, or mount the host's");
    }
}
