package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.rules.iptables.VariantSigns;
import io.dualstackd.dataplane.rules.iptables.VariantSigns.Found;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
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
import org.junit.jupiter.params.provider.CsvSource;

@Tag("kernel")
final class VariantDetectionTest {
    @TempDir
    Path folder;

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

    private VariantSigns signs() {
        return VariantDetection.signs(ns, List.of(folder.resolve("iptables")));
    }

    private void legacy(String tool, String... arguments) throws Exception {
        String command = tool + " " + String.join(" ", arguments);
        commands.run("env", "XTABLES_LOCKFILE=" + folder.resolve("lock"), "sh", "-c", command);
    }

    @Test
    void lookingFindsNothingAndMakesNothing() throws Exception {
        assertThat(signs()).isEqualTo(new VariantSigns(Optional.of(Found.NOTHING), Found.NOTHING, Optional.empty()));
        for (IpFamily family : IpFamily.values()) {
            assertThat(XtTableClient.tables(family, ns)).isEmpty();
        }
        assertThat(commands.ruleset()).isEmpty();
    }

    /** One family is enough: a kubelet may be of the other. */
    @Test
    void rulesAndHintsAreFoundWhereTheyAre() throws Exception {
        legacy("ip6tables-legacy", "-A INPUT -j ACCEPT");
        assertThat(signs().legacy()).isEqualTo(Found.RULES);
        commands.run("iptables-nft", "-A", "INPUT", "-j", "ACCEPT");
        assertThat(signs().nfTables()).contains(Found.RULES);
        legacy("iptables-legacy", "-t mangle -N KUBE-IPTABLES-HINT");
        assertThat(signs().legacy()).isEqualTo(Found.HINT);
        assertThat(signs().choose().variant()).isEqualTo(IptablesVariant.LEGACY);
        commands.run("ip6tables-nft", "-t", "mangle", "-N", "KUBE-KUBELET-CANARY");
        assertThat(signs().nfTables()).contains(Found.HINT);
    }

    @Test
    void theToolsOfTheHostSayWhichVariantTheyAre() throws Exception {
        Files.createFile(folder.resolve("xtables-legacy-multi"));
        Files.createSymbolicLink(folder.resolve("alternative"), folder.resolve("xtables-legacy-multi"));
        Files.createSymbolicLink(folder.resolve("iptables"), folder.resolve("alternative"));
        assertThat(signs().tools()).contains(IptablesVariant.LEGACY);
        Files.delete(folder.resolve("alternative"));
        assertThat(signs().tools()).as("a link to nowhere").isEmpty();
        Files.createFile(folder.resolve("xtables-nft-multi"));
        Files.createSymbolicLink(folder.resolve("alternative"), folder.resolve("xtables-nft-multi"));
        assertThat(signs().tools()).contains(IptablesVariant.NF_TABLES);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            NOTHING, NOTHING, ,          nf_tables, nothing speaks for another
            NOTHING, RULES,   ,          legacy,    the rules of this host are there
            RULES,   RULES,   ,          nf_tables, nothing speaks for another
            RULES,   HINT,    NF_TABLES, legacy,    kubelet's chains are there
            HINT,    HINT,    LEGACY,    nf_tables, kubelet's chains are there
            NOTHING, RULES,   NF_TABLES, nf_tables, the command iptables of this host is of this variant
            RULES,   NOTHING, LEGACY,    legacy,    the command iptables of this host is of this variant
            ,        NOTHING, NF_TABLES, legacy,    the kernel has no nf_tables
            """, quoteCharacter = '"')
    void strongestSignDecides(Found nft, Found legacy, IptablesVariant tools, String variant, String why) {
        VariantSigns.Choice choice =
                new VariantSigns(Optional.ofNullable(nft), legacy, Optional.ofNullable(tools)).choose();
        assertThat(choice.variant()).hasToString(variant);
        assertThat(choice.why()).isEqualTo(why);
    }
}
