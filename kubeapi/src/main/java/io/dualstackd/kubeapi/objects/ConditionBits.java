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
        return (byte) (digits(conditions.ready(), conditions.serving(), conditions.terminating())
                + (family == IpFamily.IPV4 ? 0 : COMBINATIONS));
    }

    static EndpointSlice.Conditions unpack(byte bits) {
        return ALL[bits % COMBINATIONS];
    }

    /** The shared instance with these values. */
    static EndpointSlice.Conditions shared(
            Optional<Boolean> ready, Optional<Boolean> serving, Optional<Boolean> terminating) {
        return ALL[digits(ready, serving, terminating)];
    }

    static IpFamily family(byte bits) {
        return bits < COMBINATIONS ? IpFamily.IPV4 : IpFamily.IPV6;
    }

    private static int digits(Optional<Boolean> ready, Optional<Boolean> serving, Optional<Boolean> terminating) {
        return digit(ready) + 3 * digit(serving) + 9 * digit(terminating);
    }

    private static int digit(Optional<Boolean> condition) {
        if (condition.isEmpty()) {
            return 0;
        }
        return condition.get() ? 2 : 1;
    }

    private static Optional<Boolean> digit(int number) {
        return switch (number % 3) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(false);
            default -> Optional.of(true);
        };
    }
}
