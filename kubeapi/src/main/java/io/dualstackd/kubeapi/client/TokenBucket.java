package io.dualstackd.kubeapi.client;

/** How often something may be done: so many at once, and so many per second in the long run. Belongs to one thread. */
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
     * Takes a turn, which may be in the future; those that follow come after it.
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
