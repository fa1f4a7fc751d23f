package io.dualstackd.dataplane.watch;

import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.wire.DecodeException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of dualstackd in iptables mode: its own chains and their rules, its jumps in built-in chains, and the existence of
 * tables and built-in chains, which must not be dormant. What other programs do to their own chains in the same tables does not matter.
 */
public final class OwnedIptablesObjects implements OwnedObjects {
    private static final String OUR_NAMES = "KUBE-";

    private final Map<Table, TableName> tables = new EnumMap<>(Table.class);

    public OwnedIptablesObjects(IpFamily family) {
        for (Table table : Table.values()) {
            tables.put(table, new TableName(NftFamily.of(family), table.toString()));
        }
    }

    @Override
    public PartialRead partialRead(NftMessageView message) {
        for (Map.Entry<Table, TableName> entry : tables.entrySet()) {
            if (message.isIn(entry.getValue())) {
                return lookAt(message, entry.getKey(), entry.getValue());
            }
        }
        return PartialRead.NOTHING;
    }

    private static PartialRead lookAt(NftMessageView message, Table table, TableName name) {
        int type = message.type();
        // A table that is there is reported only when its flags change: it may have been made dormant.
        if (type == NftMessageType.NEW_TABLE || type == NftMessageType.DELETE_TABLE) {
            return new PartialRead.Ours(new ChangedObject.InTable(name));
        }
        boolean ofChain = type == NftMessageType.NEW_CHAIN || type == NftMessageType.DELETE_CHAIN;
        boolean ofRule = type == NftMessageType.NEW_RULE || type == NftMessageType.DELETE_RULE;
        if (!ofChain && !ofRule) {
            return PartialRead.NOTHING;
        }
        boolean deleted = type == NftMessageType.DELETE_CHAIN || type == NftMessageType.DELETE_RULE;
        if (message.nameBegins(OUR_NAMES)) {
            ChainId chain = new ChainId(table, nameOf(message));
            // In a built-in chain only a deleted rule may have been one of dualstackd.
            boolean ours = Ownership.ours(chain) || (deleted && chain.name().equals(ChainNames.FIREWALL));
            return ours ? new PartialRead.Ours(change(ofChain, name.chain(chain.name()))) : PartialRead.NOTHING;
        }
        for (String builtIn : BuiltIn.of(table)) {
            if (message.nameBegins(builtIn) && nameOf(message).equals(builtIn)) {
                if (ofChain) {
                    return deleted
                            ? new PartialRead.Ours(new ChangedObject.InChain(name.chain(builtIn)))
                            : PartialRead.NOTHING;
                }
                return PartialRead.UNCLEAR;
            }
        }
        return PartialRead.NOTHING;
    }

    private static ChangedObject change(boolean ofChain, ChainName chain) {
        return ofChain ? new ChangedObject.InChain(chain) : new ChangedObject.InRules(chain);
    }

    private static String nameOf(NftMessageView message) {
        try {
            return message.name();
        } catch (DecodeException e) {
            throw new IllegalStateException("its beginning was just compared", e);
        }
    }

    @Override
    public Optional<ChangedObject> judge(NftChange change) {
        return switch (change) {
            case NftChange.RuleSet(NftRule rule) -> judge(rule);
            case NftChange.RuleDeleted(NftRule rule) -> judge(rule);
            default -> Optional.empty();
        };
    }

    /** A jump to an own chain; a rule without any expression may have been one. */
    private Optional<ChangedObject> judge(NftRule rule) {
        boolean ours = tables.containsValue(rule.chain().table())
                && (rule.expressions().isEmpty()
                        || rule.expressions().stream().anyMatch(OwnedIptablesObjects::leadsToUs));
        return ours ? Optional.of(new ChangedObject.InRules(rule.chain())) : Optional.empty();
    }

    private static boolean leadsToUs(NftExpr expression) {
        return switch (expression) {
            case VerdictExpr(Verdict.Jump(String chain)) -> chain.startsWith(OUR_NAMES);
            case VerdictExpr(Verdict.Goto(String chain)) -> chain.startsWith(OUR_NAMES);
            default -> false;
        };
    }
}
