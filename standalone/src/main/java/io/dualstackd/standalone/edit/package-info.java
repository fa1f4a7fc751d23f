/**
 * Texts of manifests changed for their owners: single documents are replaced, added and taken out, and everything else stays as it was
 * written, comments included.
 *
 * <p>In: the text of a file, objects somebody wants in it or out of it. Out: another text. Must not touch: files, rules of objects.
 *
 * <p>The one surprising thing: nothing is parsed and printed again, unless an object stood in a List, where it has no text of its own.
 */
@NullMarked
package io.dualstackd.standalone.edit;

import org.jspecify.annotations.NullMarked;
