package io.dualstackd.netlink.random;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** The random input of one run: equal seeds draw equal values in equal order. */
public final class Draw {
    private static final int EXTREME = 8;

    private final long seed;
    private final Random random;

    Draw(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** What the run began with, for code that makes its own {@link Random}. */
    public long seed() {
        return seed;
    }

    /** The generator behind all values of this run. */
    public Random random() {
        return random;
    }

    /** A number from {@code min} to {@code max}, both included; one in eight is one of the two. */
    public int between(int min, int max) {
        if (random.nextInt(EXTREME) == 0) {
            return random.nextBoolean() ? min : max;
        }
        return random.nextInt(min, max + 1);
    }

    /** A number from 0 to {@code max}, both included. */
    public int upTo(int max) {
        return between(0, max);
    }

    public boolean bool() {
        return random.nextBoolean();
    }

    /** Any value of a byte. */
    public byte aByte() {
        return (byte) between(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    /** Any bytes, at most {@code most}. */
    public byte[] bytes(int most) {
        byte[] bytes = new byte[upTo(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** One of the values, each as likely as the others. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final <T> T one(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** One of the values, each as likely as the others. */
    public <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** One constant of an enum. */
    public <E extends Enum<E>> E one(Class<E> type) {
        return one(type.getEnumConstants());
    }

    /** Between {@code least} and {@code most} values. */
    public <T> List<T> list(int least, int most, Supplier<? extends T> value) {
        List<T> list = new ArrayList<>();
        for (int i = between(least, most); i > 0; i--) {
            list.add(value.get());
        }
        return list;
    }

    /** At most {@code most} different values. */
    public <T> Set<T> set(int most, Supplier<? extends T> value) {
        return new LinkedHashSet<>(list(0, most, value));
    }

    /** Any text of at most {@code most} chars, among them control characters and halves of surrogate pairs. */
    public String text(int most) {
        return chars(most, () -> switch (random.nextInt(4)) {
            case 0 -> (char) random.nextInt(0x80);
            case 1 -> (char) random.nextInt(0x800);
            default -> (char) random.nextInt(0x10000);
        });
    }

    /** A text of at most {@code most} chars of the given ones. */
    public String text(int most, String of) {
        return chars(most, () -> of.charAt(random.nextInt(of.length())));
    }

    private String chars(int most, Supplier<Character> next) {
        StringBuilder text = new StringBuilder();
        for (int i = upTo(most); i > 0; i--) {
            text.append(next.get().charValue());
        }
        return text.toString();
    }
}
