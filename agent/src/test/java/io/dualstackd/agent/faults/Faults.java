package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.ForeignRules.Where;
import io.dualstackd.kubeapi.wire.ApiStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;

/** All faults there are. */
final class Faults {
    /** By name: each is a loop that must not end in silence. */
    private static final List<String> THREADS =
            List.of("dataplane-ipv4", "dataplane-ipv6", "rules", "addresses", "health", "admin", "names", "heap");

    /** Fewer than the daemon has open, and more than any poll(2) looks at, which would refuse to wait otherwise. */
    private static final int NONE_LEFT = 20;

    private static final List<String> BUSY = List.of("dataplane-ipv4", "dataplane-ipv6", "api");

    private static final List<String> THROWN =
            List.of("java.lang.IllegalStateException", "java.lang.NoClassDefFoundError", "java.lang.OutOfMemoryError");

    private Faults() {}

    /** A folder has no server that could fail. */
    static List<Fault> of(Source source) {
        List<Fault> all = new ArrayList<>();
        all.addAll(resources());
        if (source == Source.CLUSTER) {
            all.addAll(connection());
            all.addAll(answers());
        }
        all.addAll(processes());
        all.addAll(foreign());
        all.addAll(thrown(source));
        return List.copyOf(all);
    }

    private static List<Fault> resources() {
        return List.of(
                Fault.lasting(
                        "no descriptors left, connections cut",
                        4,
                        8,
                        (bed, random) -> {
                            bed.daemon().limitDescriptors(NONE_LEFT);
                            bed.server.cut();
                        },
                        (bed, random) -> bed.daemon().limitDescriptors(4096)),
                Fault.lasting(
                        "no descriptors left, status asked",
                        4,
                        8,
                        (bed, random) -> bed.daemon().limitDescriptors(NONE_LEFT),
                        (bed, random) -> bed.daemon().limitDescriptors(4096)),
                Fault.lasting(
                        "state directory full",
                        5,
                        15,
                        (bed, random) -> bed.scratch().mounts().full(true),
                        (bed, random) -> bed.scratch().mounts().full(false)),
                Fault.lasting(
                        "state directory read-only",
                        5,
                        15,
                        (bed, random) -> bed.scratch().mounts().readOnly(true),
                        (bed, random) -> bed.scratch().mounts().readOnly(false)),
                Fault.lasting(
                        "no threads left, connections cut",
                        4,
                        8,
                        (bed, random) -> {
                            bed.daemon().limitThreads(1);
                            bed.server.cut();
                            bed.stir();
                        },
                        (bed, random) -> bed.daemon().limitThreads(10_000)),
                Fault.lasting("heap full", 6, 6, (bed, random) -> bed.daemon().tell("hog 5000"), (bed, random) -> {}),
                Fault.lasting(
                        "clock an hour back",
                        5,
                        20,
                        (bed, random) -> bed.daemon().tell("clock -3600000"),
                        (bed, random) -> bed.daemon().tell("clock 0")),
                Fault.lasting(
                        "clock a day ahead",
                        5,
                        20,
                        (bed, random) -> bed.daemon().tell("clock 86400000"),
                        (bed, random) -> bed.daemon().tell("clock 0")));
    }

    private static List<Fault> connection() {
        return List.of(
                Fault.sudden("connections cut", (bed, random) -> bed.server.cut()),
                Fault.lasting(
                        "server down", 3, 25, (bed, random) -> bed.server.down(), (bed, random) -> bed.server.listen()),
                Fault.lasting(
                        "server hangs, its kernel acknowledges",
                        5,
                        40,
                        (bed, random) -> bed.server.faults().hang(true),
                        (bed, random) -> bed.server.faults().hang(false)),
                Fault.lasting(
                        "packets lost", 5, 30, (bed, random) -> bed.net.lose(), (bed, random) -> bed.net.loseNothing()),
                Fault.lasting(
                        "half-open connections",
                        2,
                        5,
                        (bed, random) -> {
                            bed.net.lose();
                            bed.server.cut();
                        },
                        (bed, random) -> bed.net.loseNothing()),
                Fault.sudden("serving certificate rotated", (bed, random) -> {
                    bed.server.rotate(false);
                    bed.server.cut();
                }),
                Fault.sudden("certificate authority rotated", (bed, random) -> {
                    bed.server.rotate(true);
                    bed.server.cut();
                }));
    }

    private static List<Fault> answers() {
        List<Fault> all = new ArrayList<>();
        for (int code : new int[] {401, 403, 410, 429, 500, 503}) {
            all.add(Fault.lasting(
                    "every answer is " + code,
                    3,
                    15,
                    (bed, random) -> {
                        bed.server.faults().answer(new ApiStatus(code, "", "played", OptionalInt.empty()));
                        bed.server.cut();
                    },
                    (bed, random) -> bed.server.faults().end()));
        }
        all.add(Fault.lasting(
                "every answer is garbage",
                3,
                15,
                (bed, random) -> bed.server.faults().garbage(true),
                (bed, random) -> bed.server.faults().end()));
        all.add(Fault.sudden("history compacted", (bed, random) -> {
            bed.server.objects().forget();
            bed.server.cut();
        }));
        all.add(Fault.lasting(
                "server put back to an older state", 3, 10, (bed, random) -> bed.backup(), (bed, random) -> {
                    bed.server.down();
                    bed.restore();
                    bed.server.listen();
                }));
        return all;
    }

    private static List<Fault> processes() {
        return List.of(
                Fault.sudden("daemon killed", (bed, random) -> bed.daemon().kill()),
                Fault.lasting(
                        "daemon stopped",
                        3,
                        20,
                        (bed, random) -> bed.daemon().signal("STOP"),
                        (bed, random) -> bed.daemon().signal("CONT")));
    }

    private static List<Fault> foreign() {
        List<Fault> all = new ArrayList<>();
        for (Where where : Where.values()) {
            for (int rate : new int[] {1, 20, 200}) {
                String words = where.name().toLowerCase(Locale.ROOT).replace('_', ' ');
                all.add(Fault.lasting(
                        rate + " foreign changes a second, " + words,
                        8,
                        20,
                        (bed, random) -> bed.foreign(where, rate),
                        (bed, random) -> bed.foreignEnds()));
                all.add(Fault.lasting(
                        rate + " foreign changes a second, " + words + ", daemon killed",
                        20,
                        30,
                        (bed, random) -> {
                            bed.foreign(where, rate);
                            bed.daemon().kill();
                        },
                        (bed, random) -> bed.foreignEnds()));
            }
        }
        return all;
    }

    private static List<Fault> thrown(Source source) {
        List<Fault> all = new ArrayList<>();
        List<String> threads = new ArrayList<>(THREADS);
        threads.addAll(source == Source.CLUSTER ? List.of("api", "events") : List.of("manifests"));
        for (String thread : threads) {
            for (String what : THROWN) {
                all.add(Fault.lasting(
                        what.substring(what.lastIndexOf('.') + 1) + " in " + thread,
                        3,
                        3,
                        (bed, random) -> {
                            bed.daemon().tell("throw " + thread + "  " + what + " " + skipped(thread, random));
                            bed.stir();
                        },
                        (bed, random) -> bed.disarm()));
            }
        }
        return all;
    }

    /** Most often where the loop begins anew; those that have much to do, in the middle of it, too. */
    private static int skipped(String thread, Random random) {
        return BUSY.contains(thread) && random.nextInt(2) == 0 ? random.nextInt(500) : 0;
    }
}
