package io.dualstackd.agent.config;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads values in all spellings that kube-proxy's libraries accept in flags and files. */
public final class GoText {
    /** A sign, then hexadecimal, binary, octal or decimal digits, each in a group of its own. */
    private static final Pattern WHOLE = Pattern.compile(
            "([+-]?)(?:0[xX]((?:_?[0-9a-fA-F]){1,64})|0[bB]((?:_?[01]){1,64})|0[oO]?((?:_?[0-7]){1,64})|(\\d(?:_?\\d){0,63}))");

    private static final int[] RADIX = {16, 2, 8, 10};

    private GoText() {}

    /** The truth value of a flag, as {@code strconv.ParseBool} reads it. */
    public static Optional<Boolean> truth(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "True", "TRUE" -> Optional.of(true);
            case "0", "f", "F", "false", "False", "FALSE" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** The truth value of a file as a flag has it: the words of YAML 1.1 become {@code true} and {@code false}, other texts stay. */
    static String yamlTruth(String text) {
        return switch (text) {
            case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE" -> "true";
            case "n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE" -> "false";
            default -> text;
        };
    }

    /**
     * A whole number, as {@code strconv.ParseInt} reads it: {@code 0x1f}, {@code 0o17}, {@code 017}, {@code 0b11}, {@code 1_000}. Numbers
     * like {@code 08}, which a file may have, are decimal.
     */
    static Optional<Long> whole(String text) {
        Matcher number = WHOLE.matcher(text);
        if (!number.matches()) {
            return Optional.empty();
        }
        for (int i = 0; i < RADIX.length; i++) {
            String digits = number.group(i + 2);
            if (digits != null) {
                try {
                    return Optional.of(Long.parseLong(number.group(1) + digits.replace("_", ""), RADIX[i]));
                } catch (NumberFormatException tooLarge) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** A number that fits a {@code float32}: {@code 5}, {@code .5}, {@code 1e2}. */
    static Optional<BigDecimal> fraction(String text) {
        // With more digits of the exponent the number would not fit.
        return text.matches("[+-]?(\\d{1,40}\\.?\\d{0,40}|\\.\\d{1,40})([eE][+-]?\\d{1,2})?")
                ? Optional.of(new BigDecimal(text)).filter(n -> Math.abs(n.doubleValue()) <= Float.MAX_VALUE)
                : Optional.empty();
    }

    /** An address or network without the leading zeros of its decimal octets and prefix length, which kube-proxy ignores. */
    static String withoutLeadingZeros(String address) {
        return address.replaceAll("(^|[./])0+(?=\\d)", "$1");
    }
}
