package io.dualstackd.dataplane.rules.iptables;

import java.util.List;
import java.util.SortedMap;

/**
 * Everything one Service puts into the kernel, in one family.
 *
 * @param chains chains that belong to this Service alone, with their whole content in order
 * @param dispatch its rules in chains shared by all Services; order counts only within one Service
 */
public record Fragment(SortedMap<ChainId, List<Rule>> chains, SortedMap<ChainId, List<Rule>> dispatch) {}
