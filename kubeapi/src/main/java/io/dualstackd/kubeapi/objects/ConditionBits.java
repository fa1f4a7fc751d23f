package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.Optional;

/** The conditions of an endpoint, three digits of base three, and the family of its address, in one byte. */
final class ConditionBits {
    private static final int COMBINATIONS = 27;

    /** Every combination once, shared by all endpoints. */
    private static final EndpointSlice.Conditions[] ALL = new EndpointSlice.Conditions[COMBINATIONS];

    static {
        for (int i = 0; i < COMBINATIONS; i++) {
            ALL[i] = new EndpointSlice.Conditions(digit(i), digit(i / 3), digit(i / 9));
        }
    }

    private ConditionBits() {}

    static byte pack(EndpointSlice.Conditions conditions, IpFamily family) {
        int digits = digit(conditions.ready()) + 3 * digit(conditions.serving()) + 9 * digit(conditions.terminating());
        return (byte) (digits + (family == IpFamily.IPV4 ? 0 : COMBINATIONS));
    }

    static EndpointSlice.Conditions unpack(byte bits) {
        return ALL[bits % COMBINATIONS];
    }

    static IpFamily family(byte bits) {
        return bits < COMBINATIONS ? IpFamily.IPV4 : IpFamily.IPV6;
    }

    private static int digit(Optional<Boolean> condition) {
        return condition.map(yes -> yes ? 2 : 1).orElse(0);
    }

    private static Optional<Boolean> digit(int number) {
        return switch (number % 3) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(false);
            default -> Optional.of(true);
        };
    }
}
