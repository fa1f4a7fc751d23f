/** Tests of the ledger on disk. */
@NullMarked
package io.dualstackd.agent.ledger.io;

import org.jspecify.annotations.NullMarked;
