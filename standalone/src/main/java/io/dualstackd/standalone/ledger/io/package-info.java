/**
 * The ledger on disk: a {@link io.dualstackd.standalone.ledger.io.Journal} that is never half-written, and
 * {@link io.dualstackd.standalone.ledger.io.ServiceLedger}, which writes the results of a ledger to disk before it returns them.
 *
 * <p>In: Services as files contain them, from the thread that reads them; a folder to keep the journal in. Out: Services with addresses,
 * once they are on disk; a view for reports. Must not touch: rules and allocation, which are pure.
 *
 * <p>The one surprising thing: when the disk fails, what was to be written is undone in memory, too, and tried again from the files.
 */
@NullMarked
package io.dualstackd.standalone.ledger.io;

import org.jspecify.annotations.NullMarked;
