package io.dualstackd.netlink.netns;

import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.SysException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes network namespaces whose settings are the kernel's own defaults. A new namespace inherits settings of IPv4 from the host, and
 * with {@code net.core.devconf_inherit_init_net} those of IPv6, too; on a host with a container engine or a proxy those are other ones.
 *
 * <p>With the system property {@code netns.inherit=hostile} every namespace first gets the settings of such a host, to see that no
 * test depends on where it runs.
 */
public final class FreshNetNs {
    private static final Path ROOT = Path.of("/proc/sys/net");

    /** What holds for the namespace comes first: it resets others. */
    private static final List<Map.Entry<String, String>> DEFAULTS = defaults();

    private static final List<Map.Entry<String, String>> HOSTILE = List.of(
            Map.entry("ipv4/ip_forward", "1"),
            Map.entry("ipv4/conf/all/route_localnet", "1"),
            Map.entry("ipv4/conf/default/route_localnet", "1"),
            Map.entry("ipv4/conf/lo/route_localnet", "1"),
            Map.entry("ipv4/conf/all/rp_filter", "2"),
            Map.entry("ipv4/conf/default/rp_filter", "2"),
            Map.entry("ipv4/conf/all/arp_ignore", "1"),
            Map.entry("ipv4/conf/all/log_martians", "1"),
            Map.entry("ipv6/conf/all/forwarding", "1"),
            Map.entry("ipv6/conf/default/forwarding", "1"),
            Map.entry("ipv6/conf/all/accept_ra", "0"),
            Map.entry("ipv6/conf/default/accept_ra", "0"));

    private FreshNetNs() {}

    private static List<Map.Entry<String, String>> defaults() {
        List<Map.Entry<String, String>> settings = new ArrayList<>();
        settings.add(Map.entry("ipv4/ip_forward", "0"));
        settings.add(Map.entry("ipv6/conf/all/forwarding", "0"));
        for (String scope : List.of("all", "default", "lo")) {
            String four = "ipv4/conf/" + scope + "/";
            for (String name : List.of(
                    "forwarding",
                    "route_localnet",
                    "rp_filter",
                    "accept_local",
                    "arp_ignore",
                    "arp_announce",
                    "src_valid_mark",
                    "proxy_arp",
                    "log_martians")) {
                settings.add(Map.entry(four + name, "0"));
            }
            String six = "ipv6/conf/" + scope + "/";
            settings.add(Map.entry(six + "forwarding", "0"));
            settings.add(Map.entry(six + "disable_ipv6", "0"));
            settings.add(Map.entry(six + "accept_ra", "1"));
            settings.add(Map.entry(six + "autoconf", "1"));
            settings.add(Map.entry(six + "keep_addr_on_down", "0"));
            settings.add(Map.entry(six + "addr_gen_mode", "0"));
        }
        return List.copyOf(settings);
    }

    /** A new, empty, anonymous namespace: only {@code lo}, and that is down. */
    public static NetNs create() throws SysException {
        NetNs ns = NetNs.create();
        try {
            ns.call(() -> {
                if (System.getProperty("netns.inherit", "").equals("hostile")) {
                    write(HOSTILE);
                }
                write(DEFAULTS);
                return ns;
            });
            return ns;
        } catch (SysException e) {
            ns.close();
            throw e;
        } catch (IOException e) {
            ns.close();
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            ns.close();
            throw new IllegalStateException(e);
        }
    }

    private static void write(List<Map.Entry<String, String>> settings) throws IOException {
        for (Map.Entry<String, String> setting : settings) {
            Path file = ROOT.resolve(setting.getKey());
            // Without IPv6 in the kernel half of them are not there.
            if (Files.exists(file)
                    && !Files.readString(file, StandardCharsets.US_ASCII)
                            .strip()
                            .equals(setting.getValue())) {
                Files.writeString(file, setting.getValue(), StandardCharsets.US_ASCII);
            }
        }
    }
}
