package io.dualstackd.standalone.serviceapi;

import java.util.regex.Pattern;

/** Checks the syntax of words in an object: labels, qualified names, DNS names (RFC 1123), port names (RFC 6335). */
final class TextFormats {
    static final String QUALIFIED_RULE =
            "must be a name of letters, digits, \"-\", \"_\", \".\", at most 63 characters, first and last a letter or digit; "
                    + "before it may stand a DNS name and \"/\"";
    static final String LABEL_VALUE_RULE =
            "must be letters, digits, \"-\", \"_\", \".\", at most 63 characters, first and last a letter or digit";
    static final String DNS_RULE = "must be a DNS name (RFC 1123): lower-case letters, digits, \"-\" and \".\", "
            + "each part first and last a letter or digit, at most 253 characters";
    static final String PORT_NAME_RULE = "a port name is 1 to 15 of a-z, 0-9 and \"-\", with a letter among them, "
            + "no \"-\" first, last or twice";

    private static final int MAX_PART = 63;
    private static final int MAX_DNS = 253;
    private static final int MAX_PORT_NAME = 15;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern DNS =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern PORT_NAME = Pattern.compile("(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*");

    private TextFormats() {}

    static boolean isQualified(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? isName(text) : isDns(text.substring(0, slash)) && isName(text.substring(slash + 1));
    }

    static boolean isLabelValue(String text) {
        return text.isEmpty() || isName(text);
    }

    private static boolean isName(String text) {
        return text.length() <= MAX_PART && NAME.matcher(text).matches();
    }

    static boolean isDns(String text) {
        return text.length() <= MAX_DNS && DNS.matcher(text).matches();
    }

    static boolean isPortName(String text) {
        return text.length() <= MAX_PORT_NAME && PORT_NAME.matcher(text).matches();
    }
}
