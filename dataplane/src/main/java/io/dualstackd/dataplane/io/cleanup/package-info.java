/**
 * Removal of everything that dualstackd or a kube-proxy wrote, one transaction for each family and mode.
 */
@NullMarked
package io.dualstackd.dataplane.io.cleanup;

import org.jspecify.annotations.NullMarked;
