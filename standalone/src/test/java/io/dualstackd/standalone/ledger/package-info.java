/** Tests of the ledger, in memory. */
@NullMarked
package io.dualstackd.standalone.ledger;

import org.jspecify.annotations.NullMarked;
