/**
 * Output formats of commands: aligned tables, JSON, YAML.
 *
 * <p>In: rows of words, or a {@link io.dualstackd.kubeapi.tree.Tree}. Out: text. Must not touch: the destination of the text,
 * its content.
 *
 * <p>The one surprising thing: JSON and YAML are made of one tree, so they cannot differ in content.
 */
@NullMarked
package io.dualstackd.kubeapi.print;

import org.jspecify.annotations.NullMarked;
