package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.IpPort;

/** One change; the kernel does each on its own. Each says what {@code ipvsadm} command it equals. */
public sealed interface IpvsChange {
    /** The virtual server it concerns. */
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

    /** {@code ipvsadm -a}; EEXIST when it has it. */
    record AddDestination(IpvsKey key, IpvsDestination destination) implements IpvsChange {}

    /** {@code ipvsadm -e}; ENOENT when it does not have it. */
    record SetDestination(IpvsKey key, IpvsDestination destination) implements IpvsChange {}

    /** {@code ipvsadm -d}; ENOENT when it does not have it. */
    record DeleteDestination(IpvsKey key, IpPort destination) implements IpvsChange {}
}
