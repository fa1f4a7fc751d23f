package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeViewBuilder;
import java.net.DatagramPacket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Node ports on 127.0.0.1 need a kernel that routes loopback addresses. That alone would let a neighbour on the wire talk to every
 * process of the node that listens on loopback only, trusting that no other host can.
 */
@Tag("kernel")
final class LoopbackGuardTest {
    private static final LabMap MAP = LabMap.V4;
    private static final int PORT = 4000;

    private Lab lab;
    private NativeIptables dataplane;
    private DatagramChannel trusting;

    @BeforeEach
    void open() throws Exception {
        lab = Lab.open();
        dataplane = new NativeIptables(lab.node());
        lab.hostOf(Sender.CLIENT).routeLoopbackTo(MAP.node());
        trusting = listen(lab.hostOf(Sender.NODE));
    }

    @AfterEach
    void close() throws Exception {
        trusting.close();
        dataplane.close();
        lab.close();
    }

    @Test
    void withoutNodePortsOnLoopbackThereIsNoGuardAndTheSettingAloneOpensTheNode() throws Exception {
        program(MAP.nodeBuilder());
        assertThat(isReachableFrom(Sender.CLIENT, 60_000)).isTrue();
    }

    @Test
    void withNodePortsOnLoopbackTheNodeAloneReachesItself() throws Exception {
        program(MAP.nodeBuilder().localhostNodePorts(true));
        assertThat(isReachableFrom(Sender.CLIENT, 300)).isFalse();
        assertThat(isReachableFrom(Sender.NODE_LOOPBACK, 60_000)).isTrue();
    }

    /** The setting stays on when the configuration changes, and so must the guard. */
    @Test
    void theGuardStaysWhenNodePortsOnLoopbackEnd() throws Exception {
        program(MAP.nodeBuilder().localhostNodePorts(true));
        program(MAP.nodeBuilder());
        assertThat(isReachableFrom(Sender.CLIENT, 300)).isFalse();
        assertThat(isReachableFrom(Sender.NODE_LOOPBACK, 60_000)).isTrue();
    }

    private void program(NodeViewBuilder node) {
        dataplane.program(
                node.podsIn(MAP.pods().toString()).view(),
                List.of(Services.on(MAP, Services.everything(MAP, "ported", 1), "L1")
                        .view()));
    }

    private static DatagramChannel listen(Host host) throws Exception {
        return host.ns()
                .call(() -> DatagramChannel.open(Server.family(MAP.loopback()))
                        .bind(Server.socketAddress(MAP.loopback(), PORT)));
    }

    private boolean isReachableFrom(Sender sender, int timeout) throws Exception {
        lab.hostOf(sender).ns().call(() -> {
            try (DatagramChannel channel = DatagramChannel.open(Server.family(MAP.loopback()))) {
                channel.bind(Server.socketAddress(sender.address(MAP), Probe.nextPort()));
                return channel.send(ByteBuffer.wrap(new byte[] {'!'}), Server.socketAddress(MAP.loopback(), PORT));
            }
        });
        trusting.socket().setSoTimeout(timeout);
        try {
            trusting.socket().receive(new DatagramPacket(new byte[1], 1));
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
