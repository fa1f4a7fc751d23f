package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Tree;

/**
 * A {@code v1/Service} as written: before defaults, addresses and node ports. The admitted form is a {@link Service}.
 *
 * @param tree the whole object, including fields that no rule reads
 */
public record WrittenService(ObjectKey key, Tree.Mapping tree) implements ApiObject {}
