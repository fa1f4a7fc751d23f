package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.nft.NftHook;
import java.util.Map;

/**
 * The base chains iptables-nft creates for its tables, with its types and priorities ({@code linux/netfilter_ipv4.h},
 * {@code enum nf_ip_hook_priorities}). All chains of a table have to exist, or iptables reports the table as incompatible.
 */
public final class BuiltInChains {
    private static final int MANGLE = -150;
    private static final int DNAT = -100;
    private static final int FILTER = 0;
    private static final int SNAT = 100;

    private BuiltInChains() {}

    public static Map<String, NftHook> of(Table table) {
        return switch (table) {
            case NAT ->
                Map.of(
                        "PREROUTING", new NftHook("nat", NftHook.PREROUTING, DNAT),
                        "INPUT", new NftHook("nat", NftHook.INPUT, SNAT),
                        "OUTPUT", new NftHook("nat", NftHook.OUTPUT, DNAT),
                        "POSTROUTING", new NftHook("nat", NftHook.POSTROUTING, SNAT));
            case FILTER ->
                Map.of(
                        "INPUT", new NftHook("filter", NftHook.INPUT, FILTER),
                        "FORWARD", new NftHook("filter", NftHook.FORWARD, FILTER),
                        "OUTPUT", new NftHook("filter", NftHook.OUTPUT, FILTER));
            case MANGLE ->
                Map.of(
                        "PREROUTING", new NftHook("filter", NftHook.PREROUTING, MANGLE),
                        "INPUT", new NftHook("filter", NftHook.INPUT, MANGLE),
                        "FORWARD", new NftHook("filter", NftHook.FORWARD, MANGLE),
                        "OUTPUT", new NftHook("route", NftHook.OUTPUT, MANGLE),
                        "POSTROUTING", new NftHook("filter", NftHook.POSTROUTING, MANGLE));
        };
    }
}
