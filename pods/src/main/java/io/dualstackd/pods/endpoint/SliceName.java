package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpFamily;

/** Generates names of slices in the form of the API server, the Service's name and five more characters, but not at random. */
final class SliceName {
    /** The alphabet of the API server: no vowels, so that no words are formed, and no characters that are easily confused. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    /** The longest name of an object, with the dash and the suffix. */
    private static final int MOST = 63;

    private SliceName() {}

    /** Returns the same name for the same Service, family and number at any time, and different names for different families and numbers. */
    static String of(ServiceKey service, IpFamily family, int number) {
        long all = 1;
        for (int i = 0; i < SUFFIX; i++) {
            all *= LETTERS.length();
        }
        long start = (service.namespace() + "/" + service.name()).hashCode() & 0xffff_ffffL;
        // The step has no common divisor with the number of all suffixes: none is repeated before all have been used.
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
