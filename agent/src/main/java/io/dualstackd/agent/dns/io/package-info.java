/**
 * The DNS server as a component of the daemon: {@link io.dualstackd.agent.dns.io.DnsComponent}.
 *
 * <p>In: the store, the node's addresses, {@code resolv.conf}. Out: answers to questions, the endpoints of the Service
 * {@code kube-system/kube-dns}, a report. It must not be loaded where DNS is off: it loads Netty.
 *
 * <p>The one surprising thing: two threads. {@code dns} answers, and {@code dns-zone} tells it what is new.
 */
@NullMarked
package io.dualstackd.agent.dns.io;

import org.jspecify.annotations.NullMarked;
