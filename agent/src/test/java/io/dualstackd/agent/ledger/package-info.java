/** Tests of the ledger, in memory. */
@NullMarked
package io.dualstackd.agent.ledger;

import org.jspecify.annotations.NullMarked;
