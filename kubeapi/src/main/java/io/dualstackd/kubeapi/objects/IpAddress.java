package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;

/**
 * A {@code networking.k8s.io/v1 IPAddress}: records that an address is in use, and by what (KEP-1880).
 *
 * @param ip also its name, in canonical form
 * @param managed created by the allocator; others are reservations by hand
 */
public record IpAddress(Ip ip, Parent parent, boolean managed) implements ApiObject {
    /**
     * {@code spec.parentRef}: the object that uses the address.
     *
     * @param group empty for the core group
     * @param resource plural, as {@code services}
     * @param namespace empty where the resource has none
     * @param uid of the object, as the alpha version of the API had it; empty when any object of that name is meant
     */
    public record Parent(String group, String resource, String namespace, String name, String uid) {
        /** Any object of that name. */
        public Parent(String group, String resource, String namespace, String name) {
            this(group, resource, namespace, name, "");
        }

        /** Whether both name the same object, as far as they say which one. */
        public boolean isSame(Parent other) {
            return new Parent(group, resource, namespace, name)
                            .equals(new Parent(other.group, other.resource, other.namespace, other.name))
                    && (uid.isEmpty() || other.uid.isEmpty() || uid.equals(other.uid));
        }

        /** A Service. */
        public static Parent service(String namespace, String name) {
            return new Parent("", "services", namespace, name);
        }
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip.toString());
    }
}
