/**
 * Answers of commands in the forms people and programs want: aligned tables, JSON, YAML.
 *
 * <p>In: rows of words, or a {@link io.dualstackd.kubeapi.print.OutputValue} value. Out: text. Must not touch: where the text goes, what is in
 * it.
 *
 * <p>The one surprising thing: JSON and YAML are made of one value, so they cannot say different things.
 */
@NullMarked
package io.dualstackd.kubeapi.print;

import org.jspecify.annotations.NullMarked;
