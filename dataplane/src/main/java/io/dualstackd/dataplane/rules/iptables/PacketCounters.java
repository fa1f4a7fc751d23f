package io.dualstackd.dataplane.rules.iptables;

/** The accounting objects at which rules count packets, as kube-proxy names them, and makes metrics of. */
public enum PacketCounters {
    /** Packets that KUBE-FORWARD drops because conntrack calls them INVALID. */
    INVALID_DROPPED("ct_state_invalid_dropped_pkts"),
    /** First packets of connections to node ports on 127.0.0.0/8. */
    LOCALHOST_NODE_PORTS("localhost_nps_accepted_pkts");

    private final String object;

    PacketCounters(String object) {
        this.object = object;
    }

    /** The name of the kernel's object. */
    public String object() {
        return object;
    }

    Match.CountAt match() {
        return new Match.CountAt(object);
    }
}
