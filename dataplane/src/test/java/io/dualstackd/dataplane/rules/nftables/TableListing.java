package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.RuleView;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.List;

/** A table in the kernel, and its listing by {@code nft}. */
public final class TableListing {
    /** Another one than the golden texts are of lists and loads its own: {@code -Dnft.tool=/opt/nftables-1.1/sbin/nft}. */
    private static final String NFT = System.getProperty("nft.tool", "nft");

    private TableListing() {}

    /** Golden texts are of that one. */
    static boolean isByTheUsualTool() {
        return NFT.equals("nft");
    }

    /** What {@code nft} lists once it was loaded; on the way, everything that has to hold for any table. */
    public static String of(WholeTable table) throws Exception {
        try (NetNs ours = FreshNetNs.create();
                NetNs copy = FreshNetNs.create();
                NftClient kernel = NftClient.open(ours)) {
            assertThat(kernel.apply(table.firstLoad())).isInstanceOf(NftOutcome.Applied.class);
            comesBackAsItWas(table, kernel);
            assertThat(TableContent.read(kernel, table.family())).isEqualTo(TableContent.of(table));
            String listed = new NetNsCommands(ours).run(NFT, "list", "ruleset");
            assertThat(new NetNsCommands(ours).run(NFT, "-j", "list", "ruleset"))
                    .startsWith("{\"nftables\":");
            new NetNsCommands(copy).feed(listed, NFT, "-f", "-");
            assertThat(new NetNsCommands(copy).run(NFT, "list", "ruleset")).isEqualTo(listed);
            return listed;
        }
    }

    /** Read back, every rule prints as we printed it before it was sent: or each start would write it anew. */
    private static void comesBackAsItWas(WholeTable table, NftClient kernel) throws Exception {
        IptablesEncoding print = new IptablesEncoding(table.family(), new PrintKey(1, 2));
        for (ChainRules chain : table.chains()) {
            List<Fingerprint> made = new ArrayList<>();
            for (RuleBody rule : chain.rules()) {
                made.add(print.print(rule.expressions()));
            }
            assertThat(kernel.rules(
                            table.name().chain(chain.name()),
                            message -> print.print(RuleView.read(message).expressions())))
                    .as(chain.name())
                    .isEqualTo(made);
        }
    }
}
