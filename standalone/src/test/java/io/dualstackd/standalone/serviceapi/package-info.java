/** KEP-563's tables, row by row. */
@NullMarked
package io.dualstackd.standalone.serviceapi;

import org.jspecify.annotations.NullMarked;
