package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;

/** A process of {@link FormerSettingsTest}: restores the settings of its namespace, and prints the outcomes. */
final class RestoringChild {
    private RestoringChild() {}

    public static void main(String[] arguments) throws Exception {
        try (NetNs ns = NetNs.current()) {
            System.out.println(FormerSettings.in(Path.of(arguments[0]), ns).restore());
        }
    }
}
