/**
 * Parsed YAML and JSON text as a tree that keeps the position of every value: {@link io.dualstackd.kubeapi.tree.Tree},
 * {@link io.dualstackd.kubeapi.tree.Document}, {@link io.dualstackd.kubeapi.tree.Field}, {@link io.dualstackd.kubeapi.tree.Problem}.
 *
 * <p>In: the text of a YAML or JSON file, one document or several, whole or piece by piece. Out: trees, and problems that name
 * file, document, line, field, value and rule. Must not touch: files, and anything specific to Kubernetes.
 *
 * <p>The one surprising thing: there are three readers. Documents are separated at {@code ---} lines <em>before</em> they are parsed, so a
 * syntax error in one document does not affect the following ones. The output of programs, JSON or plain blocks of YAML, is read by two
 * fast readers that give up at anything unusual; then the full parser reads the document from its start.
 */
@NullMarked
package io.dualstackd.kubeapi.tree;

import org.jspecify.annotations.NullMarked;
