/**
 * What the page in the browser asks for, and what it gets.
 *
 * <p>In: GET requests, the daemon's sources. Out: JSON and the files of the page. Must not touch: sockets, files. Nothing here changes anything.
 */
@NullMarked
package io.dualstackd.pages.ui;

import org.jspecify.annotations.NullMarked;
