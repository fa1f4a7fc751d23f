package io.dualstackd.netlink.xt;

/** Formats port ranges as iptables prints them. */
final class XtPorts {
    static final int MAX = 65535;

    private XtPorts() {}

    static String text(String option, int min, int max, boolean inverted) {
        if (min == 0 && max == MAX && !inverted) {
            return "";
        }
        return (inverted ? " ! --" : " --") + option + " " + (min == max ? "" + min : min + ":" + max);
    }
}
