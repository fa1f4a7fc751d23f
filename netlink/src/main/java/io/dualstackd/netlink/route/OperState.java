package io.dualstackd.netlink.route;

/**
 * Whether a link can carry packets, as seen by its driver (RFC 2863).
 *
 * @param number {@code IF_OPER_*} of {@code linux/if.h}
 */
public record OperState(int number) {
    public static final OperState UNKNOWN = new OperState(0);
    public static final OperState DOWN = new OperState(2);
    public static final OperState LOWER_LAYER_DOWN = new OperState(3);
    public static final OperState UP = new OperState(6);

    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "unknown";
            case 1 -> "not-present";
            case 2 -> "down";
            case 3 -> "lower-layer-down";
            case 4 -> "testing";
            case 5 -> "dormant";
            case 6 -> "up";
            default -> Integer.toString(number);
        };
    }
}
