package io.dualstackd.standalone.allocation;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;

/** Why an address is not allocated. Its text is shown to the user. */
public sealed interface AllocationFailure {
    /** No address of the family is free. */
    record RangeFull(IpFamily family) implements AllocationFailure {
        @Override
        public String toString() {
            return "no " + family + " address is free: add a ServiceCIDR";
        }
    }

    /** No range of the family exists and is ready. */
    record NoRange(IpFamily family) implements AllocationFailure {
        @Override
        public String toString() {
            return "there is no " + family + " ServiceCIDR that is ready";
        }
    }

    /** The requested address is in no range that is ready. */
    record OutOfRange(Ip ip) implements AllocationFailure {
        @Override
        public String toString() {
            return ip
                    + " is in no ServiceCIDR that is ready (a network's own address and an IPv4 broadcast address are not)";
        }
    }

    /** The requested address is in use. */
    record AlreadyAllocated(Ip ip) implements AllocationFailure {
        @Override
        public String toString() {
            return ip + " is already allocated";
        }
    }
}
