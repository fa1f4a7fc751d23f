/**
 * Sends the reports of {@code node.report} to the API server: {@link io.dualstackd.node.report.io.EventReporter},
 * {@link io.dualstackd.node.report.io.NodeReporter}, {@link io.dualstackd.node.report.io.PodReporter}, each on a thread of its own.
 *
 * <p>In: events; the responses of the server. Out: requests, and lines of the log. Must not touch: rules of the kernel.
 *
 * <p>The one surprising thing: no other part waits for reports. They may be late or fail for ever with no other effect than log messages.
 */
@NullMarked
package io.dualstackd.node.report.io;

import org.jspecify.annotations.NullMarked;
