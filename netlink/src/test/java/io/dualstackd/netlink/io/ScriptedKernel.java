package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A transport whose far end is a function from what was sent to what comes back. It never waits: when the answers are used up,
 * there is silence. For one thread.
 */
public final class ScriptedKernel implements NlTransport {
    /** Takes the messages of one datagram, gives the arrivals it causes. */
    @FunctionalInterface
    public interface Scene {
        List<Arrival> play(List<NlMessage> sent);
    }

    private final Scene role;
    private final Deque<Arrival> waiting = new ArrayDeque<>();
    private final List<List<NlMessage>> received = new ArrayList<>();
    private boolean closed;

    /** @param role played for every datagram sent */
    public ScriptedKernel(Scene role) {
        this.role = role;
    }

    /** Plays the scenes one after the other, one per datagram sent; afterwards it is silent. */
    public static ScriptedKernel ofScenes(Scene... scenes) {
        Deque<Scene> left = new ArrayDeque<>(List.of(scenes));
        return new ScriptedKernel(
                sent -> left.isEmpty() ? List.of() : left.removeFirst().play(sent));
    }

    /** Puts an unsolicited message into the receive queue. */
    public void say(Arrival arrival) {
        waiting.addLast(arrival);
    }

    /** All datagrams sent so far. */
    public List<List<NlMessage>> received() {
        return List.copyOf(received);
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        failIfClosed("send to played kernel");
        List<NlMessage> sent = Answers.split(writer.toByteArray()).messages();
        received.add(sent);
        waiting.addAll(role.play(sent));
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        failIfClosed("receive from played kernel");
        Arrival next = waiting.pollFirst();
        return next == null ? new Arrival.Silence() : next;
    }

    private void failIfClosed(String operation) throws NetlinkException {
        if (closed) {
            throw new NetlinkException.Closed(operation);
        }
    }

    @Override
    public int portId() {
        return 4711;
    }

    @Override
    public void close() {
        closed = true;
    }
}
