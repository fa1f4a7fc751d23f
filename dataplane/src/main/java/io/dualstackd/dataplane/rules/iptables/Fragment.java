package io.dualstackd.dataplane.rules.iptables;

import java.util.List;
import java.util.SortedMap;

/**
 * All rules of one Service, in one family.
 *
 * @param chains chains that belong to this Service alone, with their whole content in order
 * @param dispatch its rules in chains shared by all Services; their order matters only within one Service
 */
public record Fragment(SortedMap<ChainId, List<Rule>> chains, SortedMap<ChainId, List<Rule>> dispatch) {}
