/**
 * Serves the page in the browser on a thread of its own, so that a slow answer delays no health check.
 *
 * <p>In: GET requests, the daemon's sources. Out: JSON and the files of the page. Nothing here changes anything.
 */
@NullMarked
package io.dualstackd.pages.ui.io;

import org.jspecify.annotations.NullMarked;
