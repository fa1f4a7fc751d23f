package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.sys.Errno;

/** One change, which the kernel makes on its own. Each names the equivalent {@code ipvsadm} command. */
public sealed interface IpvsChange {
    /** The virtual server that is changed. */
    IpvsKey key();

    /** Whether a refusal with this error says that the kernel already holds what the change would leave: nothing to remove or to drain. */
    default boolean isDone(Errno refused) {
        return switch (this) {
            case DeleteService ignored -> refused.equals(Errno.ESRCH);
            case DeleteDestination ignored -> refused.equals(Errno.ENOENT);
            case SetDestination(IpvsKey ignored, IpvsDestination destination) ->
                destination.weight() == 0 && refused.equals(Errno.ENOENT);
            // What exists may have other settings.
            case AddService ignored -> false;
            case SetService ignored -> false;
            case AddDestination ignored -> false;
        };
    }

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
