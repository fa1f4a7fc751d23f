package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpFamily;

/** Names of slices look as an API server makes them, the Service's name and five more characters, but not by chance. */
final class SliceName {
    /** What an API server draws from: no vowels, so that no words come out, and nothing that looks like something else. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    /** Of the name of an object, with the dash and the suffix. */
    private static final int MOST = 63;

    private SliceName() {}

    /** The same for the same Service, family and number at any time; another one for each family and number. */
    static String of(ServiceKey service, IpFamily family, int number) {
        long all = 1;
        for (int i = 0; i < SUFFIX; i++) {
            all *= LETTERS.length();
        }
        long start = (service.namespace() + "/" + service.name()).hashCode() & 0xffff_ffffL;
        // A step without a common divisor with the number of all suffixes: none comes twice before all have come once.
        long left = (start + (2L * number + (family == IpFamily.IPV4 ? 0 : 1)) * 7_919_111L) % all;
        StringBuilder name = new StringBuilder(service.name());
        name.setLength(Math.min(name.length(), MOST - SUFFIX - 1));
        name.append('-');
        for (int i = 0; i < SUFFIX; i++) {
            name.append(LETTERS.charAt((int) (left % LETTERS.length())));
            left /= LETTERS.length();
        }
        return name.toString();
    }
}
