package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.Outage;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.supervision.sys.Platform;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The parts that all reflectors share.
 *
 * @param stored whether the store has an equal object
 * @param store takes updates
 * @param completed called when a resource has been read completely, or is known not to exist
 * @param answers called when the server begins to answer a watch: those that wait for the server need not wait any longer
 * @param shown whether the server allows reading any resource now
 */
record ReflectorContext(
        Dialer dialer,
        ApiTimeouts apiTimeouts,
        Outage outage,
        Predicate<ApiObject> stored,
        Consumer<List<Update>> store,
        Runnable completed,
        Runnable answers,
        BooleanSupplier shown) {
    Platform platform() {
        return dialer.loop().platform();
    }
}
