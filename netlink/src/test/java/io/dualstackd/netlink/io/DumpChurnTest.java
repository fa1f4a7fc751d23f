package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists that change while the running kernel dictates them. */
@Tag("kernel")
class DumpChurnTest {
    /** Many enough that the kernel needs several datagrams for the list. */
    private static final int LINKS = 200;

    private NetNs ns;
    private RouteClient other;
    private List<String> stable;

    @BeforeEach
    void fill() throws Exception {
        ns = FreshNetNs.create();
        other = RouteClient.open(ns);
        stable = new ArrayList<>(List.of("lo"));
        for (int i = 0; i < LINKS / 2; i++) {
            other.addVeth("a" + i, "b" + i);
            stable.add("a" + i);
            stable.add("b" + i);
        }
    }

    @AfterEach
    void close() {
        other.close();
        ns.close();
    }

    @Test
    void interruptedListIsReadAgain() throws Exception {
        Meddling meddling = new Meddling(NlSocket.open(NlProtocol.ROUTE, ns), 1);
        try (RouteClient client = new RouteClient(new NetlinkConnection(meddling))) {
            assertThat(client.links()).extracting(Link::name).containsExactlyInAnyOrderElementsOf(withBridges(1));
            assertThat(meddling.interruptions).isEqualTo(1);
            assertThat(meddling.dumps).isEqualTo(2);
        }
    }

    @Test
    void listThatKeepsChangingFailsWithDumpInterrupted() throws Exception {
        Meddling meddling = new Meddling(NlSocket.open(NlProtocol.ROUTE, ns), Integer.MAX_VALUE);
        try (RouteClient client = new RouteClient(new NetlinkConnection(meddling))) {
            assertThatExceptionOfType(NetlinkException.DumpInterrupted.class).isThrownBy(client::links);
            assertThat(meddling.dumps).isEqualTo(NetlinkConnection.DUMP_ATTEMPTS);
        }
    }

    @Test
    void listIsNeverPartialDuringChurn() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicReference<@Nullable Exception> error = new AtomicReference<>();
        Thread churn = Thread.ofPlatform().name("churn").start(() -> {
            try {
                while (!enough.get()) {
                    other.addBridge("churn");
                    other.deleteLink(other.indexOf("churn"));
                }
            } catch (Exception e) {
                error.set(e);
            }
        });
        Meddling watching = new Meddling(NlSocket.open(NlProtocol.ROUTE, ns), 0);
        try (RouteClient client = new RouteClient(new NetlinkConnection(watching))) {
            while (watching.interruptions < 3 && error.get() == null) {
                try {
                    assertThat(client.links())
                            .extracting(Link::name)
                            .filteredOn(name -> !name.equals("churn"))
                            .containsExactlyInAnyOrderElementsOf(stable);
                } catch (NetlinkException.DumpInterrupted honest) {
                    assertThat(honest).hasMessageContaining("changed while being read");
                }
            }
        } finally {
            enough.set(true);
            churn.join();
        }
        assertThat(error.get()).isNull();
    }

    private List<String> withBridges(int count) {
        List<String> names = new ArrayList<>(stable);
        for (int i = 0; i < count; i++) {
            names.add("new" + i);
        }
        return names;
    }

    /** Adds a bridge after the first datagram of a dump, so that the kernel sees a change in the middle of its list. */
    private final class Meddling implements NlTransport {
        private final NlTransport inner;
        private final int meddleWithDumps;
        private int dumps;
        private int interruptions;
        private boolean atStart;
        private boolean interrupted;

        Meddling(NlTransport inner, int meddleWithDumps) {
            this.inner = inner;
            this.meddleWithDumps = meddleWithDumps;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            dumps++;
            atStart = true;
            interrupted = false;
            inner.send(writer);
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            Arrival arrival = inner.receive(timeout);
            if (atStart && dumps <= meddleWithDumps) {
                other.addBridge("new" + (dumps - 1));
            }
            atStart = false;
            if (arrival instanceof Arrival.Messages(List<NlMessage> messages)) {
                boolean flagged =
                        messages.stream().anyMatch(message -> (message.flags() & NlFlags.DUMP_INTERRUPTED) != 0);
                interruptions += flagged && !interrupted ? 1 : 0;
                interrupted |= flagged;
            }
            return arrival;
        }

        @Override
        public int portId() {
            return inner.portId();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
