package io.dualstackd.agent.simulation;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the rules of a simulated kernel send packets: read from the bytes of the elements, with no class of the daemon that writes them.
 */
final class KernelDestinations {
    private static final String COUNTED = "service-ips-";

    private KernelDestinations() {}

    /** The pods behind each address of a Service, port 80 over TCP: those that the chain for their number would draw. */
    static Map<String, Set<String>> of(SimulatedKernel kernel, IpFamily family) {
        Map<String, Set<String>> all = new TreeMap<>();
        Optional<NftTables.Table> table = kernel.tables().find(new TableName(NftFamily.of(family), "dualstackd"));
        if (table.isEmpty()) {
            return all;
        }
        int bytes = family == IpFamily.IPV4 ? 4 : 16;
        Map<String, String> endpoints = new TreeMap<>();
        NftTables.Set map = table.get().sets().get("endpoints");
        for (NftTables.Element each : map == null
                ? Set.<NftTables.Element>of()
                : Set.copyOf(map.elements().values())) {
            NftElement element = each.value();
            byte[] key = element.key().toArray();
            int slot = ByteBuffer.wrap(key, bytes + 8, 4)
                    .order(ByteOrder.nativeOrder())
                    .getInt();
            if (element.data() instanceof MapData.Value(var data)) {
                byte[] target = data.toArray();
                endpoints.put(
                        destination(key, bytes) + "#" + slot,
                        Ip.ofBytes(Arrays.copyOf(target, bytes)) + ":"
                                + (ByteBuffer.wrap(target, bytes, 2).getShort() & 0xffff));
            }
        }
        table.get().sets().forEach((name, set) -> {
            if (name.startsWith(COUNTED)) {
                int count = Integer.parseInt(name.substring(COUNTED.length()));
                set.elements().values().forEach(element -> {
                    String destination = destination(element.value().key().toArray(), bytes);
                    Set<String> drawn = new TreeSet<>();
                    for (int slot = 0; slot < count; slot++) {
                        drawn.add(endpoints.getOrDefault(destination + "#" + slot, "none"));
                    }
                    all.put(destination, drawn);
                });
            }
        });
        return all;
    }

    private static String destination(byte[] key, int bytes) {
        int protocol = key[bytes];
        int port = ByteBuffer.wrap(key, bytes + 4, 2).getShort() & 0xffff;
        return Ip.ofBytes(Arrays.copyOf(key, bytes)) + "/" + protocol + ":" + port;
    }
}
