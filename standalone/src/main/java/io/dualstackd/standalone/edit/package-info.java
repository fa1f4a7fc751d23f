/**
 * Edits the texts of manifests: single documents are replaced, added and removed, and everything else stays as it was written, comments
 * included.
 *
 * <p>In: the text of a file, objects to write or to remove. Out: another text. Must not touch: files, rules of objects.
 *
 * <p>The one surprising thing: nothing is parsed and printed again, unless an object was in a List, where it has no text of its own.
 */
@NullMarked
package io.dualstackd.standalone.edit;

import org.jspecify.annotations.NullMarked;
