package io.dualstackd.kubeapi.client;

/** A rate limit: a burst at once, and a sustained rate per second. Used by one thread. */
public final class TokenBucket {
    private static final double NANOS = 1e9;

    private final double perNano;
    private final double most;
    private double tokens;
    private long last;

    /**
     * @param perSecond 0 or less is no limit
     * @param burst at once; less than 1 counts as 1
     * @param now a clock in nanoseconds that never goes back
     */
    public TokenBucket(double perSecond, int burst, long now) {
        this.perNano = perSecond / NANOS;
        this.most = Math.max(1, burst);
        this.tokens = most;
        this.last = now;
    }

    /**
     * Takes a token, which may become available in the future; later calls get later ones.
     *
     * @return nanoseconds to wait before; 0 for none
     */
    public long take(long now) {
        if (perNano <= 0) {
            return 0;
        }
        tokens = Math.min(most, tokens + (now - last) * perNano);
        last = now;
        tokens -= 1;
        return tokens >= 0 ? 0 : (long) (-tokens / perNano);
    }
}
