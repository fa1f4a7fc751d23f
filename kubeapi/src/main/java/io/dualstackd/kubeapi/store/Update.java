package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;

/** A change of an object, as a source reports it. */
public sealed interface Update {
    ObjectKey key();

    /** The object is new or changed. */
    record Put(ApiObject object) implements Update {
        @Override
        public ObjectKey key() {
            return object.key();
        }
    }

    /** The object is gone. */
    record Gone(ObjectKey key) implements Update {}
}
