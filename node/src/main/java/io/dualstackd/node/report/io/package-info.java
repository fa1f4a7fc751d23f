/**
 * Says to the API server what {@code agent.report} has to say: {@link io.dualstackd.node.report.io.EventReporter},
 * {@link io.dualstackd.node.report.io.NodeReporter}, {@link io.dualstackd.node.report.io.PodReporter}, each on a thread of its own.
 *
 * <p>In: what happened; the answers of the server. Out: requests, and lines of the log. Must not touch: rules of the kernel.
 *
 * <p>The one surprising thing: none of it is ever waited for. Reporting may be late or fail for ever without anybody noticing but the log.
 */
@NullMarked
package io.dualstackd.node.report.io;

import org.jspecify.annotations.NullMarked;
