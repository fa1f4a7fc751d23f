package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Tree;

/**
 * A {@code v1/Service} as its author wrote it: before defaults, addresses and node ports. What stands in its place when it is in force is
 * a {@link Service}.
 *
 * @param tree the whole object, also what no rule reads
 */
public record WrittenService(ObjectKey key, Tree.Mapping tree) implements ApiObject {}
