package io.dualstackd.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AgreementTest {
    private static final IpPort FIRST = new IpPort(Ip.parse("10.244.0.11"), 8080);
    private static final IpPort SECOND = new IpPort(Ip.parse("10.244.0.12"), 8080);
    private static final PacketFate PLANNED = new PacketFate.Forwarded(
            new ServicePortName(new ServiceKey("demo", "web"), "http", Proto.TCP),
            new PacketFate.Reason("ClusterIP", "", true, ""),
            Stream.of(FIRST, SECOND)
                    .map(to -> new PacketFate.Hop(new Backend(to, false), false))
                    .toList());

    private static Agreement sticky(Verdict verdict) {
        End end = new End(1, Optional.of(FIRST), false, verdict, Set.of(), Trail.START);
        return Agreement.of(PLANNED, new KernelFindings.Found(List.of(), List.of(end)), true);
    }

    @Test
    void aClientMayBeBoundToOneEndpoint() {
        assertThat(sticky(Verdict.ACCEPTED)).isEqualTo(new Agreement.Agrees());
    }

    @Test
    void aClientThatIsBoundAndStoppedIsADifference() {
        assertThat(sticky(Verdict.DROPPED))
                .isEqualTo(new Agreement.Differs(List.of("the kernel's rules end otherwise: dropped")));
        assertThat(sticky(Verdict.REJECTED))
                .isEqualTo(new Agreement.Differs(List.of("the kernel's rules end otherwise: rejected")));
    }
}
