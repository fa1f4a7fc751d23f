package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.rules.iptables.RuleWalk.Branch;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.State;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Walks a packet through the chains of one table. */
final class ChainWalk {
    private static final int DEEPEST = 16;

    private final Ruleset rules;
    private final Table table;
    private final RuleMatch match;
    private final RuleWalk.Observer observer;

    ChainWalk(Ruleset rules, Table table, RuleMatch match, RuleWalk.Observer observer) {
        this.observer = observer;
        this.rules = rules;
        this.table = table;
        this.match = match;
    }

    /** All branches that leave {@code chain}: with a verdict, or without one where the chain ended or returned. */
    List<Branch> through(String chain, Branch branch) {
        return through(chain, branch, 0);
    }

    private List<Branch> through(String chain, Branch from, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalStateException("chains jump in a circle at " + chain);
        }
        List<Branch> left = new ArrayList<>();
        List<Branch> here = List.of(from);
        ChainId id = new ChainId(table, chain);
        for (Rule rule : rules.rules(id)) {
            List<Branch> next = new ArrayList<>();
            for (Branch branch : here) {
                double matching = match.probability(rule.matches(), branch.state());
                if (matching < 1) {
                    next.add(new Branch(branch.probability() * (1 - matching), branch.state(), Optional.empty()));
                }
                if (matching > 0) {
                    Optional<Trail.Step> step = observer.matched(id, rule);
                    State state =
                            RuleMatch.after(rule.matches(), branch.state()).met(step);
                    act(rule, new Branch(branch.probability() * matching, state, Optional.empty()), depth, next, left);
                }
            }
            here = next;
            if (here.isEmpty()) {
                break;
            }
        }
        left.addAll(here);
        return left;
    }

    /** Adds a branch that matched to those that meet the next rule, or to those that leave the chain. */
    private void act(Rule rule, Branch branch, int depth, List<Branch> next, List<Branch> left) {
        State state = branch.state();
        switch (rule.target()) {
            case Target.None() -> next.add(branch);
            case Target.SetXmark(int value, int mask) -> next.add(with(branch, state.marked(value, mask)));
            case Target.Jump(String chain) -> {
                for (Branch back : through(chain, branch, depth + 1)) {
                    (back.verdict().isPresent() ? left : next).add(back);
                }
            }
            case Target.Return() -> left.add(branch);
            case Target.Accept() -> left.add(ended(branch, Verdict.ACCEPTED));
            case Target.Drop() -> left.add(ended(branch, Verdict.DROPPED));
            case Target.Reject() -> left.add(ended(branch, Verdict.REJECTED));
            case Target.Dnat(var to) -> left.add(ended(with(branch, state.sentTo(to)), Verdict.ACCEPTED));
            case Target.Masquerade ignored -> left.add(ended(with(branch, state.masquerade()), Verdict.ACCEPTED));
        }
    }

    private static Branch with(Branch branch, State state) {
        return new Branch(branch.probability(), state, branch.verdict());
    }

    private static Branch ended(Branch branch, Verdict verdict) {
        return new Branch(branch.probability(), branch.state(), Optional.of(verdict));
    }
}
