package io.dualstackd.netlink.route;

/**
 * How long an address is valid ({@code struct ifa_cacheinfo} of {@code linux/if_addr.h}).
 *
 * @param preferred seconds, unsigned, during which new connections may use it; 0 makes it deprecated
 * @param valid seconds, unsigned, until it is removed; the kernel requires at least {@code preferred}
 * @param created when, in hundredths of a second since the kernel started; ignored when sent
 * @param updated when, in the same unit; ignored when sent
 */
public record Lifetime(int preferred, int valid, int created, int updated) {
    /** {@code INFINITY_LIFE_TIME}. */
    public static final int FOR_EVER = -1;

    /** Returns a lifetime to be sent. */
    public static Lifetime of(int preferredSeconds, int validSeconds) {
        return new Lifetime(preferredSeconds, validSeconds, 0, 0);
    }

    public boolean isPreferredOver() {
        return preferred == 0;
    }

    public boolean isForEver() {
        return preferred == FOR_EVER && valid == FOR_EVER;
    }

    /** {@code preferred 1800s valid forever}. */
    @Override
    public String toString() {
        return "preferred " + text(preferred) + " valid " + text(valid);
    }

    private static String text(int seconds) {
        return seconds == FOR_EVER ? "forever" : Integer.toUnsignedString(seconds) + "s";
    }
}
