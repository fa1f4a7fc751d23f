package io.dualstackd.explain.io;

import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.explain.ChainJudgement;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import java.util.List;
import java.util.Optional;

/** The table nat of iptables mode; a jump to the rules of Services ends the way of a packet that they translate. */
final class AroundServices implements ChainJudgement.Chains {
    private static final List<NftExpr> ACCEPT = List.of(new VerdictExpr(new Verdict.Accept()));

    private final ChainJudgement.Chains all;
    private final boolean translate;
    private boolean reached;

    AroundServices(ChainJudgement.Chains all, boolean translate) {
        this.all = all;
        this.translate = translate;
    }

    /** Whether the packet may come to the rules of Services. */
    boolean reached() {
        return reached;
    }

    @Override
    public Optional<List<List<NftExpr>>> rules(String name) {
        if (!name.equals(ChainNames.SERVICES) && !name.equals(ChainNames.POSTROUTING)) {
            return all.rules(name);
        }
        reached = true;
        return Optional.of(translate ? List.of(ACCEPT) : List.of());
    }

    @Override
    public ChainJudgement.Answer find(String set, ChainJudgement.KeySource key) {
        return all.find(set, key);
    }
}
