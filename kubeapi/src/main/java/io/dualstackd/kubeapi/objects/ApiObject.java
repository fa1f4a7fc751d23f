package io.dualstackd.kubeapi.objects;

/** An object of the Kubernetes API, reduced to what this daemon reads. */
public sealed interface ApiObject
        permits Service, WrittenService, EndpointSlice, Endpoints, Node, ServiceCidr, IpAddress {
    /** Its key. */
    ObjectKey key();
}
