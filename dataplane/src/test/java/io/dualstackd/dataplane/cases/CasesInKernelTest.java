package io.dualstackd.dataplane.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.rules.iptables.IptablesParser;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real tools load the rules of every step of every case, in a namespace of their own, and list them letter by letter as we do. */
@Tag("kernel")
class CasesInKernelTest {
    static List<Path> cases() {
        return CaseFile.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theToolsListWhatWePrint(Path path) {
        CaseWorld world = new CaseWorld();
        for (Block block : CaseFile.read(path).blocks()) {
            world.take(block);
            if (block.verb().equals("expect")) {
                check(path + ":" + block.line(), world.rules());
            }
        }
    }

    private static void check(String where, Ruleset rules) {
        String text = IptablesText.print(rules);
        String prefix = rules.family() == IpFamily.IPV4 ? "iptables" : "ip6tables";
        for (String variant : List.of("-nft", "-legacy")) {
            String listed = Tools.restoreAndSave(prefix + variant, text);
            assertThat(Tools.normal(listed))
                    .as("%s with %s%s", where, prefix, variant)
                    .isEqualTo(text);
            assertThat(IptablesParser.parse(rules.family(), listed)).isEqualTo(rules);
        }
    }
}
