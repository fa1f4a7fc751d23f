package io.dualstackd.dns.forward;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of something each client has, and all of them together.
 *
 * @param <C> what clients are told apart by
 */
public final class Shares<C> {
    private final int perClient;
    private final int inAll;
    private final Map<C, Integer> taken = new HashMap<>();
    private int sum;

    public Shares(int perClient, int inAll) {
        this.perClient = perClient;
        this.inAll = inAll;
    }

    /** What became of a wish for one more. */
    public enum Outcome {
        GRANTED,
        /** The client has used up its share. */
        CLIENT_HAS_ENOUGH,
        /** All shares together are used up. */
        NONE_LEFT
    }

    /** Takes one, which is to be given back when it was {@link Outcome#GRANTED}. */
    public Outcome take(C client) {
        int own = taken.getOrDefault(client, 0);
        if (own >= perClient) {
            return Outcome.CLIENT_HAS_ENOUGH;
        }
        if (sum >= inAll) {
            return Outcome.NONE_LEFT;
        }
        taken.put(client, own + 1);
        sum++;
        return Outcome.GRANTED;
    }

    /** Gives one back. */
    public void giveBack(C client) {
        taken.computeIfPresent(client, (key, own) -> own == 1 ? null : own - 1);
        sum--;
    }

    /** What all have. */
    public int taken() {
        return sum;
    }

    /** Clients that have something. */
    public int clients() {
        return taken.size();
    }
}
