package io.dualstackd.netlink.route;

/**
 * The scope of an address, or the distance of a destination.
 *
 * @param number {@code RT_SCOPE_*} of {@code linux/rtnetlink.h}, 0 to 255, larger is nearer
 */
public record Scope(int number) {
    public static final Scope GLOBAL = new Scope(0);
    public static final Scope LINK = new Scope(253);
    public static final Scope HOST = new Scope(254);
    public static final Scope NOWHERE = new Scope(255);

    public Scope {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("scope " + number + " is not in 0..255");
        }
    }

    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "global";
            case 200 -> "site";
            case 253 -> "link";
            case 254 -> "host";
            case 255 -> "nowhere";
            default -> Integer.toString(number);
        };
    }
}
