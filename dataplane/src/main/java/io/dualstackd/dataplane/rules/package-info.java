/**
 * What the layouts of both modes have in common: names made from hashes.
 *
 * <p>In: texts that name a service port or an endpoint. Out: the short form that names in the kernel end in. Must not touch: what
 * the names are used for; that is defined by {@code rules.iptables} and {@code rules.nftables}.
 *
 * <p>The one surprising thing: the hash is kube-proxy's, so that both name the same thing alike.
 */
@NullMarked
package io.dualstackd.dataplane.rules;

import org.jspecify.annotations.NullMarked;
