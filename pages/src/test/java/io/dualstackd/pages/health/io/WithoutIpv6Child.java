package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.supervision.sys.Platform;
import java.util.Optional;

/** A process that starts to listen on an IPv6 address and prints the result; to be run by a JVM that has no IPv6. */
final class WithoutIpv6Child {
    private WithoutIpv6Child() {}

    public static void main(String[] arguments) throws Exception {
        try (NetNs ns = NetNs.current();
                HttpLoop loop = HttpLoop.start(ns);
                ProxyEndpoints ignored = ProxyEndpoints.start(
                        loop,
                        "metrics",
                        new Listening(Optional.of(Ip.parse("::1")), 10249),
                        (request, localAddress) -> Optional.of(HttpAnswer.NOT_FOUND),
                        why -> System.out.println("not open: " + why),
                        () -> System.out.println("open"),
                        Platform.system())) {
            System.out.println("started");
        }
    }
}
