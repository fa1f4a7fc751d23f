package io.dualstackd.dns.forward;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts shares of a limited resource, per client and in total.
 *
 * @param <C> the key that identifies a client
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

    /** The result of a request for one more share. */
    public enum Outcome {
        GRANTED,
        /** The client has used up its limit. */
        CLIENT_HAS_ENOUGH,
        /** The total limit is used up. */
        NONE_LEFT
    }

    /** Takes one share, which must be given back if it was {@link Outcome#GRANTED}. */
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

    /** Gives one share back. */
    public void giveBack(C client) {
        taken.computeIfPresent(client, (key, own) -> own == 1 ? null : own - 1);
        sum--;
    }

    /** The number of shares all clients have. */
    public int taken() {
        return sum;
    }

    /** The number of clients that have a share. */
    public int clients() {
        return taken.size();
    }
}
