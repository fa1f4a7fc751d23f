package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;

/** One step of a transaction, in kernel terms. */
public sealed interface Op {
    Origin origin();

    /** Creates the table with its built-in chains where they are missing; an existing chain keeps its policy. */
    record EnsureTable(Table table, Origin origin) implements Op {}

    /** Creates an empty chain. */
    record CreateChain(ChainId chain, Origin origin) implements Op {}

    /** Deletes all rules of a chain. */
    record FlushChain(ChainId chain, Origin origin) implements Op {}

    /** Deletes a chain without rules to which no rule jumps. */
    record DeleteChain(ChainId chain, Origin origin) implements Op {}

    /** Adds a rule after the last one. Its handle is not requested: the chain is only ever rewritten as a whole. */
    record AppendRule(ChainId chain, RuleImage rule, Origin origin) implements Op {}

    /** Adds a rule to a shared chain, at its head or its end; the kernel reports the handle it gave it. */
    record PlaceRule(ChainId chain, FragmentImage.Place place, RuleImage rule, Origin origin) implements Op {}

    /** Deletes one rule of a shared chain. */
    record DeleteRule(ChainId chain, long handle, Origin origin) implements Op {}
}
