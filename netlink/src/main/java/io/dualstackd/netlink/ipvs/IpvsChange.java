package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.IpPort;

/** One change, which the kernel makes on its own. Each names the equivalent {@code ipvsadm} command. */
public sealed interface IpvsChange {
    /** The virtual server that is changed. */
    IpvsKey key();

    /** {@code ipvsadm -A}; EEXIST when there is one. */
    record AddService(IpvsService service) implements IpvsChange {
        @Override
        public IpvsKey key() {
            return service.key();
        }
    }

    /** {@code ipvsadm -E}; ESRCH when there is none. */
    record SetService(IpvsService service) implements IpvsChange {
        @Override
        public IpvsKey key() {
            return service.key();
        }
    }

    /** {@code ipvsadm -D}: with all its destinations; ESRCH when there is none. */
    record DeleteService(IpvsKey key) implements IpvsChange {}

    /** {@code ipvsadm -a}; EEXIST when the server has the destination. */
    record AddDestination(IpvsKey key, IpvsDestination destination) implements IpvsChange {}

    /** {@code ipvsadm -e}; ENOENT when the server does not have the destination. */
    record SetDestination(IpvsKey key, IpvsDestination destination) implements IpvsChange {}

    /** {@code ipvsadm -d}; ENOENT when the server does not have the destination. */
    record DeleteDestination(IpvsKey key, IpPort destination) implements IpvsChange {}
}
