/** Tests of the ledger on disk. */
@NullMarked
package io.dualstackd.standalone.ledger.io;

import org.jspecify.annotations.NullMarked;
