package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.AddressCodec;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteCodec;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Answers of a kernel without IPv6 ({@code ipv6.disable=1}): asked for it, it lists what all other families have. */
class RouteAnswersTest {
    private static final int AF_MPLS = 28;

    private static RouteClient listing(int type, Consumer<NlWriter> ofIpv4) {
        return new RouteClient(new NetlinkConnection(new ScriptedKernel(sent -> {
            int sequence = sent.getFirst().sequence();
            return List.of(
                    Answers.data(type, NlFlags.MULTI, sequence, ofIpv4),
                    Answers.data(type, NlFlags.MULTI, sequence, body -> {
                        body.u8(AF_MPLS);
                        body.zeros(11);
                    }),
                    Answers.done(sequence));
        })));
    }

    @Test
    void addressesOfAnotherFamilyAreLeftOut() throws Exception {
        Address address = Address.of(2, Ip.parse("10.0.0.1"), 24);
        try (RouteClient client = listing(RouteMessages.NEWADDR, body -> AddressCodec.write(body, address))) {
            assertThat(client.addresses(IpFamily.IPV6)).isEmpty();
            assertThat(client.addresses(IpFamily.IPV4)).extracting(Address::ip).containsExactly(Ip.parse("10.0.0.1"));
        }
    }

    @Test
    void routesOfAnotherFamilyAreLeftOut() throws Exception {
        Route route = Route.onLink(IpPrefix.parse("10.1.0.0/16"), Ip.parse("10.0.0.254"), 2);
        try (RouteClient client = listing(RouteMessages.NEWROUTE, body -> RouteCodec.write(body, route))) {
            assertThat(client.routes(IpFamily.IPV6)).isEmpty();
            assertThat(client.routes(IpFamily.IPV4))
                    .extracting(Route::destination)
                    .containsExactly(IpPrefix.parse("10.1.0.0/16"));
        }
    }
}
