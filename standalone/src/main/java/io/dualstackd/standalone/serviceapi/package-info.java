/**
 * What an API server does to a Service before it stores it, for nodes without one: defaults, which IP families and how many cluster IPs
 * it gets, whether it needs node ports, what may be written at all, and what may be changed later (Kubernetes 1.36, KEP-563).
 *
 * <p>In: an object as it is written, the one stored before, the families of the cluster. Out: the object to be stored, without the numbers
 * it still lacks, or every rule that was broken. Must not touch: files, sources of objects; what the decoder of stored Services checks
 * anyway is left to {@code agent.api} and not repeated. Which numbers are free is up to {@code agent.allocation}.
 *
 * <p>The one surprising thing: reading the same text again is not a write, and a {@code PreferDualStack} Service with one family stays
 * single-stack when the cluster becomes dual-stack, until the object is changed.
 */
@NullMarked
package io.dualstackd.standalone.serviceapi;

import org.jspecify.annotations.NullMarked;
