/**
 * What the page in the browser shows of Services.
 *
 * <p>In: frontends and what was counted at them. Out: JSON; the files of the page are beside it. Must not touch: the kernel, sockets, files.
 */
@NullMarked
package io.dualstackd.pages.ui;

import org.jspecify.annotations.NullMarked;
