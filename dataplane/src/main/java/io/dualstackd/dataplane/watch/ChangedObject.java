package io.dualstackd.dataplane.watch;

import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Set;

/** An object of dualstackd that another program made, changed or deleted. Its current state has to be read from the kernel. */
public sealed interface ChangedObject {
    /** Notifications were lost: anything may have changed. */
    record Anything() implements ChangedObject {
        @Override
        public String toString() {
            return "anything";
        }
    }

    /** The table itself, or more objects in it than are remembered one by one. */
    record InTable(TableName table) implements ChangedObject {
        @Override
        public String toString() {
            return "table " + table;
        }
    }

    /** A chain itself. */
    record InChain(ChainName chain) implements ChangedObject {
        @Override
        public String toString() {
            return "chain " + chain;
        }
    }

    /** Rules in a chain. */
    record InRules(ChainName chain) implements ChangedObject {
        @Override
        public String toString() {
            return "rules in " + chain;
        }
    }

    /** A set or map itself, or more of its elements than are remembered one by one. */
    record InSet(SetName set) implements ChangedObject {
        @Override
        public String toString() {
            return "set " + set;
        }
    }

    /** Some elements of a set or map. */
    record InElements(SetName set, Set<Bytes> keys) implements ChangedObject {
        public InElements {
            keys = Set.copyOf(keys);
        }

        @Override
        public String toString() {
            return "elements of " + set;
        }
    }
}
