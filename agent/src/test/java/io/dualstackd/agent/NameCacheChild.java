package io.dualstackd.agent;

import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.io.NameLookup;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs the program, then looks up a name three times, and prints the answers. */
final class NameCacheChild {
    private NameCacheChild() {}

    /** @param arguments the file in which names are looked up */
    public static void main(String[] arguments) {
        Path hosts = Path.of(arguments[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> print(hosts)));
        Main.main(new String[] {"--version"});
    }

    private static void print(Path hosts) {
        try {
            NameLookup.Resolver system = NameLookup.Resolver.system(NetNs.current());
            for (String line : List.of("", "192.0.2.1 node.test", "192.0.2.2 node.test")) {
                Files.writeString(hosts, line + "\n");
                try {
                    System.out.println(system.resolve("node.test"));
                } catch (UnknownHostException e) {
                    System.out.println("unknown");
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
