/** Serves the page in the browser on a thread of its own, so that a slow answer delays no health check. */
@NullMarked
package io.dualstackd.pages.ui.io;

import org.jspecify.annotations.NullMarked;
