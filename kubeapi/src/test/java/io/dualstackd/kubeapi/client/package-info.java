/** What follows from which answer of an API server. */
@NullMarked
package io.dualstackd.kubeapi.client;

import org.jspecify.annotations.NullMarked;
