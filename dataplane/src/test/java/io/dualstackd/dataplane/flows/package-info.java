/** Tests of stale flows. */
@NullMarked
package io.dualstackd.dataplane.flows;

import org.jspecify.annotations.NullMarked;
