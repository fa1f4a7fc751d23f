package io.dualstackd.dns.forward;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;

/**
 * The resolvers of a {@code resolv.conf}, in their order. Search domains and options are for programs on the host; questions received here
 * have complete names.
 *
 * @param problems lines that are not an address, each in a sentence
 */
public record ResolvConf(List<Nameserver> nameservers, List<String> problems) {
    public ResolvConf {
        nameservers = List.copyOf(nameservers);
        problems = List.copyOf(problems);
    }

    /** Parses a text; invalid lines are reported, and the others are used. */
    public static ResolvConf parse(String text) {
        List<Nameserver> nameservers = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String[] words = line.strip().split("\\s+", -1);
            if (!words[0].equals("nameserver")) {
                continue;
            }
            String value = words.length > 1 ? words[1] : "";
            int percent = value.indexOf('%');
            try {
                Ip ip = Ip.parse(percent < 0 ? value : value.substring(0, percent));
                if (percent >= 0 && ip.family() == IpFamily.IPV4) {
                    // Java would take the whole for a name, and look it up.
                    throw new IllegalArgumentException("an IPv4 address has no zone");
                }
                Nameserver server =
                        new Nameserver(ip, percent < 0 ? "" : value.substring(percent + 1), Nameserver.PORT);
                if (!nameservers.contains(server)) {
                    nameservers.add(server);
                }
            } catch (IllegalArgumentException e) {
                problems.add("line " + number + ": nameserver \"" + value + "\" is not an IP address");
            }
        }
        return new ResolvConf(nameservers, problems);
    }
}
