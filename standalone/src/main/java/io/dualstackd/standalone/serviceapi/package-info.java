/**
 * What an API server does to a Service before it stores it, for nodes without one: defaults, which IP families and how many cluster IPs
 * it gets, whether it needs node ports, what may be written at all, and what may be changed later (Kubernetes 1.36, KEP-563).
 *
 * <p>In: an object as its author wrote it, the one stored before, the families of the cluster. Out: the object as it is to be stored,
 * without the numbers it still lacks, or every rule that was broken. Must not touch: files, sources of objects; what a reader of stored
 * Services checks anyway is asked of {@code agent.api} and not said twice. Which numbers are free is {@code agent.allocation}'s.
 *
 * <p>The one surprising thing: a text that is read again is no write, and a policy of {@code PreferDualStack} with one family stays so
 * when the cluster becomes dual-stack, until somebody changes the object.
 */
@NullMarked
package io.dualstackd.standalone.serviceapi;

import org.jspecify.annotations.NullMarked;
