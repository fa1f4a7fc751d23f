/**
 * Names of Services on a node without a cluster, as values: {@link io.dualstackd.agent.dns.StoreZone} translates changes of the store for
 * the DNS server, {@link io.dualstackd.agent.dns.KubeDnsService} is the Service by which pods reach it.
 *
 * <p>In: changes of the store, settings, addresses of the node. Out: changes of the zone, objects, clients, a report. Must not touch:
 * sockets, threads, Netty; those are in {@code agent.dns.io} and in the module {@code dns}.
 *
 * <p>The one surprising thing: the endpoints of the Service do not pass the manifests; they are put into the store directly.
 */
@NullMarked
package io.dualstackd.agent.dns;

import org.jspecify.annotations.NullMarked;
