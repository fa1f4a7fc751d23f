package io.dualstackd.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The options of the command line.
 *
 * @param sizes numbers of Services, or of pods; empty for the usual ones
 * @param write whether to keep the output in {@code docs/bench}
 * @param quick whether to use fewer repetitions and small sizes
 */
public record BenchOptions(What what, List<Mode> modes, List<Integer> sizes, boolean write, boolean quick) {
    /** The kind of measurement. */
    public enum What {
        SCALE(true, true, false),
        LATENCY(true, false, false),
        DAEMON(true, true, true),
        PODS(false, true, true),
        LEDGER(false, true, false),
        CLUSTER(false, true, true),
        IDLE(false, true, true),
        DNS(false, true, false);

        private final boolean takesMode;
        private final boolean takesSizes;
        private final boolean startsDaemon;

        What(boolean takesMode, boolean takesSizes, boolean startsDaemon) {
            this.takesMode = takesMode;
            this.takesSizes = takesSizes;
            this.startsDaemon = startsDaemon;
        }

        /** Whether a daemon is measured, which may be an installed one. */
        boolean startsDaemon() {
            return startsDaemon;
        }

        /** The form on the command line: {@code latency}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Thrown for an invalid command line. */
    public static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    public static BenchOptions read(List<String> arguments) throws Wrong {
        List<What> named = new ArrayList<>();
        List<Mode> modes = List.of(Mode.values());
        List<Integer> sizes = new ArrayList<>();
        boolean write = false;
        boolean quick = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--write" -> write = true;
                case "--quick" -> quick = true;
                case "--mode" -> modes = List.of(mode(++i < arguments.size() ? arguments.get(i) : ""));
                case "latency", "daemon", "pods", "ledger", "cluster", "idle", "dns" ->
                    named.add(What.valueOf(argument.toUpperCase(Locale.ROOT)));
                default -> sizes.add(size(argument));
            }
        }
        if (named.size() > 1) {
            throw new Wrong("one measurement at a time: " + named);
        }
        What what = named.isEmpty() ? What.SCALE : named.getFirst();
        if (modes.size() == 1 && !what.takesMode) {
            throw new Wrong("--mode is not for " + what);
        }
        if (!sizes.isEmpty() && !what.takesSizes) {
            throw new Wrong(what + " has sizes of its own");
        }
        return new BenchOptions(what, modes, List.copyOf(sizes), write, quick);
    }

    /** The command line that makes the same report. */
    String command() {
        StringBuilder command = new StringBuilder("bin/bench --write");
        if (quick) {
            command.append(" --quick");
        }
        if (modes.size() == 1) {
            command.append(" --mode ").append(modes.getFirst());
        }
        if (what != What.SCALE) {
            command.append(' ').append(what);
        }
        sizes.forEach(size -> command.append(' ').append(size));
        return command.toString();
    }

    /** The sizes asked for, or else {@code usual} ones. */
    public List<Integer> sizesOr(Integer... usual) {
        return sizes.isEmpty() ? List.of(usual) : sizes;
    }

    private static Mode mode(String text) throws Wrong {
        for (Mode mode : Mode.values()) {
            if (mode.toString().equals(text)) {
                return mode;
            }
        }
        throw new Wrong("no mode \"" + text + "\"");
    }

    private static int size(String text) throws Wrong {
        if (!text.matches("[1-9][0-9]{1,5}")) {
            throw new Wrong("\"" + text + "\" is not a number of Services from 10 to 999999");
        }
        return Integer.parseInt(text);
    }
}
