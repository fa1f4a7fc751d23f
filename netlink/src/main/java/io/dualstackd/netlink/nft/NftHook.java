package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The hook at which packets enter a base chain.
 *
 * @param type {@code filter}, {@code nat} or {@code route}
 * @param number {@code NF_INET_*} of {@code linux/netfilter.h}: 0 prerouting, 1 input, 2 forward, 3 output, 4 postrouting
 * @param priority chains with the lowest value are traversed first
 * @param policy {@link #ACCEPT} or {@link #DROP}: the verdict at the end of the chain
 * @param devices names of network devices, for the families netdev and inet ingress
 */
public record NftHook(String type, int number, int priority, int policy, List<String> devices) {
    public static final int PREROUTING = 0;
    public static final int INPUT = 1;
    public static final int FORWARD = 2;
    public static final int OUTPUT = 3;
    public static final int POSTROUTING = 4;

    public static final int DROP = 0;
    public static final int ACCEPT = 1;

    private static final String[] NAMES = {"prerouting", "input", "forward", "output", "postrouting"};

    private static final Attr.U32be HOOKNUM = new Attr.U32be(1, "NFTA_HOOK_HOOKNUM");
    private static final Attr.U32be PRIORITY = new Attr.U32be(2, "NFTA_HOOK_PRIORITY");
    private static final Attr.Text DEV = new Attr.Text(3, "NFTA_HOOK_DEV");
    private static final Attr.Payload DEVS = new Attr.Payload(4, "NFTA_HOOK_DEVS");
    static final AttrTable TABLE = AttrTable.of("NFTA_HOOK", HOOKNUM, PRIORITY, DEV, DEVS);

    private static final int NLA_HEADER = 4;

    public NftHook {
        devices = List.copyOf(devices);
    }

    /** Creates a hook with policy accept, for all devices. */
    public NftHook(String type, int number, int priority) {
        this(type, number, priority, ACCEPT, List.of());
    }

    static NftHook read(Attrs hook, String type, int policy) throws DecodeException {
        List<String> devices = List.of();
        if (hook.has(DEVS)) {
            devices = readDevices(hook.reader(DEVS));
        } else if (hook.has(DEV)) {
            devices = List.of(hook.get(DEV));
        }
        return new NftHook(type, hook.get(HOOKNUM), hook.get(PRIORITY), policy, devices);
    }

    private static List<String> readDevices(NlReader reader) throws DecodeException {
        List<String> devices = new ArrayList<>();
        while (reader.remaining() > 0) {
            int length = reader.u16();
            reader.skip(2);
            if (length < NLA_HEADER) {
                throw reader.error("attribute length " + length + " is less than 4");
            }
            devices.add(reader.fixedText(length - NLA_HEADER));
            reader.skip(Math.min(-length & 3, reader.remaining()));
        }
        return devices;
    }

    void writeTo(NlWriter writer, Attr.Nest nest) {
        int mark = writer.startNest(nest);
        writer.put(HOOKNUM, number);
        writer.put(PRIORITY, priority);
        if (devices.size() == 1) {
            writer.put(DEV, devices.getFirst());
        } else if (!devices.isEmpty()) {
            int list = writer.startNest(DEVS);
            devices.forEach(device -> writer.put(new Attr.Text(1, "NFTA_DEVICE_NAME"), device));
            writer.endNest(list, DEVS);
        }
        writer.endNest(mark, nest);
    }

    /** As {@code nft} writes it: {@code type nat hook prerouting priority -100; policy accept;}. */
    @Override
    public String toString() {
        // With devices the numbers are those of NF_NETDEV_*, of which 0 is ingress.
        String hook = !devices.isEmpty() && number == 0
                ? "ingress"
                : number >= 0 && number < NAMES.length ? NAMES[number] : "hook" + number;
        return "type " + type + " hook " + hook + (devices.isEmpty() ? "" : " devices " + devices) + " priority "
                + priority + "; policy " + (policy == ACCEPT ? "accept" : policy == DROP ? "drop" : "" + policy) + ";";
    }
}
