package io.dualstackd.agent.host.io;

import io.dualstackd.dataplane.io.LegacyTables;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.VariantSigns;
import io.dualstackd.dataplane.rules.iptables.VariantSigns.Found;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects which variant of iptables a host uses, without changing anything. */
public final class VariantDetection {
    private static final Logger LOG = LoggerFactory.getLogger("variant");
    private static final List<Path> TOOLS = List.of(Path.of("/usr/sbin/iptables"), Path.of("/sbin/iptables"));

    private VariantDetection() {}

    /** The chosen variant, and why. */
    public static VariantSigns.Choice of(NetNs ns) {
        return signs(ns, TOOLS).choose();
    }

    /** @param tools where the command {@code iptables} may be; the first that exists counts */
    static VariantSigns signs(NetNs ns, List<Path> tools) {
        return new VariantSigns(nfTables(ns), legacy(ns), variantOf(tools));
    }

    private static Optional<Found> nfTables(NetNs ns) {
        List<String> mangle = new ArrayList<>();
        boolean rules = false;
        try (NftClient kernel = NftClient.open(ns)) {
            for (IpFamily family : IpFamily.values()) {
                for (NftChain chain : kernel.chains(NftFamily.of(family))) {
                    Optional<Table> table = Table.named(chain.name().table().name());
                    rules |= table.isPresent() && chain.use() > 0;
                    if (table.equals(Optional.of(Table.MANGLE))) {
                        mangle.add(chain.name().name());
                    }
                }
            }
            return Optional.of(found(mangle, rules));
        } catch (NetlinkException e) {
            LOG.debug("nf_tables cannot be read reason=\"{}\"", e.getMessage());
            return Optional.empty();
        }
    }

    private static Found legacy(NetNs ns) {
        List<Found> found = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            try {
                LegacyTables tables = LegacyTables.read(family, ns);
                found.add(found(tables.chains(Table.MANGLE), tables.holdRules()));
            } catch (IOException e) {
                LOG.debug("iptables legacy cannot be read family={} reason=\"{}\"", family, e.getMessage());
                found.add(Found.NOTHING);
            }
        }
        return Collections.max(found);
    }

    private static Found found(List<String> mangle, boolean rules) {
        return VariantSigns.holdHint(mangle) ? Found.HINT : rules ? Found.RULES : Found.NOTHING;
    }

    /** The tools of a variant are one program with many names; the last link identifies it. */
    private static Optional<IptablesVariant> variantOf(List<Path> tools) {
        for (Path tool : tools) {
            try {
                if (Files.exists(tool)) {
                    String program = tool.toRealPath().getFileName().toString();
                    if (program.contains("legacy")) {
                        return Optional.of(IptablesVariant.LEGACY);
                    }
                    return program.contains("nft") ? Optional.of(IptablesVariant.NF_TABLES) : Optional.empty();
                }
            } catch (IOException e) {
                LOG.debug("cannot follow {} reason=\"{}\"", tool, e.getMessage());
            }
        }
        return Optional.empty();
    }
}
