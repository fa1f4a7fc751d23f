/**
 * Text that people write, as a tree that remembers where every value stands: {@link io.dualstackd.kubeapi.tree.Tree},
 * {@link io.dualstackd.kubeapi.tree.Document}, {@link io.dualstackd.kubeapi.tree.Field}, {@link io.dualstackd.kubeapi.tree.Problem}.
 *
 * <p>In: the text of a YAML or JSON file, one document or several, whole or piece by piece. Out: trees, and problems that name
 * file, document, line, field, value and rule. Must not touch: files, and any word of Kubernetes.
 *
 * <p>The one surprising thing: there are three readers. Documents are cut apart at {@code ---} lines <em>before</em> they are parsed,
 * so a document whose syntax is broken does not take the following ones with it. What programs print, JSON or plain blocks of YAML, is
 * read by two small readers that give up at anything unusual; then the real parser reads the document from its start.
 */
@NullMarked
package io.dualstackd.kubeapi.tree;

import org.jspecify.annotations.NullMarked;
