package io.dualstackd.dataplane.rules.iptables;

import java.util.List;
import java.util.SortedMap;

/**
 * The rules that the node needs regardless of Services, in one family.
 *
 * @param chains chains whose whole content is given
 * @param shared chains that hold the dispatch rules of all Services, each with the rules that must stay behind them
 * @param jumps rules in chains that do not belong to dualstackd alone (built-in ones, and {@code KUBE-FIREWALL}, which kubelet writes,
 *     too), from the head on. A missing rule is inserted at the head; rules of others there are left alone. A missing
 *     {@code KUBE-FIREWALL} is created
 */
public record Frame(
        SortedMap<ChainId, List<Rule>> chains,
        SortedMap<ChainId, List<Rule>> shared,
        SortedMap<ChainId, List<Rule>> jumps) {}
