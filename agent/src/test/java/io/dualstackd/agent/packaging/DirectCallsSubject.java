package io.dualstackd.agent.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** What the methods that are replaced return, for all kinds of arguments. */
@SuppressWarnings({"ArrayRecordComponent", "EqualsIncompatibleType"}) // every kind of component, and of argument
public final class DirectCallsSubject implements Callable<List<Object>> {
    sealed interface Shape {
        default String kind() {
            return switch (this) {
                case Circle(double radius) when radius > 10 -> "large circle";
                case Circle ignored -> "circle";
                case Dot ignored -> "dot";
            };
        }
    }

    private record Circle(double radius) implements Shape {}

    private record Dot() implements Shape {}

    record Everything(
            boolean a, byte b, short c, char d, int e, long f, float g, double h, String i, int[] j, Shape k) {}

    private static String word(Object any) {
        return switch (any) {
            case null -> "nothing";
            case String text when text.isEmpty() -> "empty";
            case String text -> text;
            case Integer number -> "number " + number;
            case int[] numbers -> "numbers " + numbers.length;
            case Shape shape -> shape.kind();
            default -> "else";
        };
    }

    @Override
    public List<Object> call() {
        int[] numbers = {1, 2};
        Everything one = new Everything(
                true, (byte) -1, (short) 2, 'x', 3, 1L << 40, Float.NaN, -0.0, "i", numbers, new Circle(1));
        Everything same = new Everything(
                true, (byte) -1, (short) 2, 'x', 3, 1L << 40, Float.NaN, -0.0, "i", numbers, new Circle(1));
        List<Everything> others = List.of(
                new Everything(false, (byte) -1, (short) 2, 'x', 3, 1L << 40, Float.NaN, -0.0, "i", numbers, null),
                new Everything(true, (byte) 0, (short) 2, 'x', 3, 1L << 40, Float.NaN, -0.0, "i", numbers, null),
                new Everything(true, (byte) -1, (short) 2, 'x', 3, 1L << 41, Float.NaN, -0.0, "i", numbers, null),
                new Everything(true, (byte) -1, (short) 2, 'x', 3, 1L << 40, 1, -0.0, "i", numbers, null),
                new Everything(true, (byte) -1, (short) 2, 'x', 3, 1L << 40, Float.NaN, 0.0, "i", numbers, null),
                new Everything(true, (byte) -1, (short) 2, 'x', 3, 1L << 40, Float.NaN, -0.0, "i", numbers, null));
        List<Object> results = new ArrayList<>();
        results.add(one.equals(same));
        results.add(one.equals(List.of(one).getFirst()));
        others.forEach(other -> results.add(one.equals(other)));
        results.add(new Dot().equals(new Dot()));
        results.add(one.equals("i"));
        results.add(one.hashCode() == same.hashCode());
        results.add(new Dot().hashCode());
        results.add(new Circle(2).hashCode());
        for (Object any : new Object[] {"", "text", 7, numbers, new Circle(11), new Circle(1), new Dot(), 'x'}) {
            results.add(word(any));
        }
        results.add(word(null));
        Object nothing = null;
        results.add(one.b + "," + one.c + one.d + '\u0001' + one.e + "\u0002 " + one.f + one.g + one.h + nothing + one.a
                + new Circle(3));
        return results;
    }
}
