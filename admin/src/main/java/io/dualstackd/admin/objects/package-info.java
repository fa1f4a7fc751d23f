/**
 * Reports about objects of the API: {@link io.dualstackd.admin.objects.ObjectsReport}, shown as {@code kubectl get} prints it, as a
 * description of one Service, and in JSON or YAML.
 *
 * <p>In: the store's Services and slices, the ledger at one moment, problems, what the kernel refuses. Out: text. Must not touch: the
 * daemon, sockets, the clock.
 *
 * <p>The one surprising thing: tables are made from the objects as they are printed in JSON. So a Service from a file that names its
 * addresses and a Service that the ledger admitted pass through the same code, and no column can contradict a field.
 */
@NullMarked
package io.dualstackd.admin.objects;

import org.jspecify.annotations.NullMarked;
