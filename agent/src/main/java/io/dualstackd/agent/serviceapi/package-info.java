/**
 * What an API server does to a Service before it stores it, for nodes without one: which IP families and how many cluster IPs it
 * gets, what may be changed later and what not (KEP-563).
 *
 * <p>In: fields as their author wrote them, the fields stored before, the families of the cluster. Out: the fields as they are to be
 * stored, or every rule that was broken. Must not touch: allocation (that is {@code agent.allocation}), files, sources of objects.
 *
 * <p>The one surprising thing: a policy of {@code PreferDualStack} with one family stays so when the cluster becomes dual-stack, until
 * somebody changes the object.
 */
@NullMarked
package io.dualstackd.agent.serviceapi;

import org.jspecify.annotations.NullMarked;
