package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.ForeignRules.Where;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.supervision.Component;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;

/** All faults there are. */
final class Faults {
    /** Fewer than the daemon has open, and more than any poll(2) looks at, which would refuse to wait otherwise. */
    private static final int NONE_LEFT = 20;

    private static final List<Component> BUSY =
            List.of(Component.DATAPLANE_IPV4, Component.DATAPLANE_IPV6, Component.API);

    private static final List<String> THROWN =
            List.of("java.lang.IllegalStateException", "java.lang.NoClassDefFoundError", "java.lang.OutOfMemoryError");

    private Faults() {}

    /** A folder has no server that could fail. */
    static List<Fault> of(Source source, Mode mode) {
        List<Fault> all = new ArrayList<>();
        all.addAll(resources());
        if (source == Source.CLUSTER) {
            all.addAll(connection());
            all.addAll(answers());
        }
        if (source == Source.LEDGER) {
            all.addAll(ledger());
        } else {
            all.add(Fault.lasting(
                    "state directory read-only",
                    5,
                    15,
                    (bed, random) -> bed.scratch().mounts().readOnly(true),
                    (bed, random) -> bed.scratch().mounts().readOnly(false)));
        }
        all.addAll(processes());
        all.addAll(foreign());
        all.addAll(thrown(source, mode));
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
                        "no threads left, connections cut",
                        4,
                        8,
                        (bed, random) -> {
                            bed.daemon().limitThreads(1);
                            bed.server.cut();
                            bed.stir();
                        },
                        (bed, random) -> bed.daemon().limitThreads(10_000)),
                Fault.lasting("heap full", 6, 6, (bed, random) -> bed.daemon().send("hog 5000"), (bed, random) -> {}),
                Fault.lasting(
                        "clock an hour back",
                        5,
                        20,
                        (bed, random) -> bed.daemon().send("clock -3600000"),
                        (bed, random) -> bed.daemon().send("clock 0")),
                Fault.lasting(
                        "clock a day ahead",
                        5,
                        20,
                        (bed, random) -> bed.daemon().send("clock 86400000"),
                        (bed, random) -> bed.daemon().send("clock 0")));
    }

    /**
     * Nothing may be allocated that cannot be written down, and that is said; once it can be, it is. A file system with a file that is open for
     * writing cannot be made read-only, so that happens while the daemon is down.
     */
    private static List<Fault> ledger() {
        return List.of(
                Fault.lasting(
                        "state directory full, Services come and go",
                        6,
                        15,
                        (bed, random) -> {
                            bed.scratch().mounts().full(true);
                            bed.workload.comeAndGo();
                        },
                        (bed, random) -> bed.scratch().mounts().full(false)),
                Fault.lasting(
                        "state directory full, Services come and go, daemon killed",
                        6,
                        15,
                        (bed, random) -> {
                            bed.scratch().mounts().full(true);
                            bed.workload.comeAndGo();
                            bed.daemon().kill();
                        },
                        (bed, random) -> bed.scratch().mounts().full(false)),
                Fault.lasting(
                        "state directory read-only, Services come and go, daemon killed",
                        6,
                        15,
                        (bed, random) -> {
                            bed.whileDown(() -> {
                                bed.scratch().mounts().readOnly(true);
                                return bed;
                            });
                            bed.workload.comeAndGo();
                        },
                        (bed, random) -> bed.scratch().mounts().readOnly(false)),
                Fault.sudden("Services come and go, daemon killed", (bed, random) -> {
                    bed.workload.comeAndGo();
                    bed.daemon().kill();
                }));
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
            bed.server.objects().compact();
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
                        12,
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

    /** Where it is thrown, and what the daemon is given to do so that it comes there. */
    private record Spot(String thread, String method, Fault.Action stir) {
        private Spot(String thread) {
            this(thread, "", (bed, random) -> bed.stir());
        }

        /** What follows one kind of object has no thread of its own; it reads those objects in a class of its own. */
        private static Spot reading(String name) {
            try {
                Class.forName("io.dualstackd.kubeapi.wire.raw." + name);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("reads objects no longer: " + name, e);
            }
            return new Spot("api", "." + name + ".", (bed, random) -> bed.stir());
        }
    }

    /** Every component that runs here. */
    static Set<Component> components(Source source, Mode mode) {
        return spots(source, mode).keySet();
    }

    private static Map<Component, Spot> spots(Source source, Mode mode) {
        Map<Component, Spot> spots = new EnumMap<>(Component.class);
        List<Component> threads = new ArrayList<>(List.of(
                Component.DATAPLANE_IPV4,
                Component.DATAPLANE_IPV6,
                Component.RULES,
                Component.ADDRESSES,
                Component.NAMES,
                Component.SETTINGS,
                Component.HEALTH,
                Component.ADMIN,
                Component.NOTIFY,
                Component.HEAP,
                Component.SUPERVISOR));
        threads.addAll(
                source == Source.CLUSTER ? List.of(Component.API, Component.EVENTS) : List.of(Component.MANIFESTS));
        threads.forEach(component -> spots.put(component, new Spot(component.toString())));
        if (source == Source.CLUSTER) {
            spots.put(
                    Component.API_ACCESS,
                    new Spot(Component.API_ACCESS.toString(), "", (bed, random) -> bed.server.cut()));
            spots.put(Component.SERVICES, Spot.reading("RawService"));
            spots.put(Component.ENDPOINT_SLICES, Spot.reading("RawEndpointSlice"));
            spots.put(Component.NODES, Spot.reading("RawNode"));
            if (mode == Mode.NFTABLES) {
                spots.put(Component.SERVICE_CIDRS, Spot.reading("RawServiceCidr"));
            }
        }
        return spots;
    }

    private static List<Fault> thrown(Source source, Mode mode) {
        List<Fault> all = new ArrayList<>();
        spots(source, mode).forEach((component, spot) -> {
            for (String what : THROWN) {
                all.add(Fault.lasting(
                        what.substring(what.lastIndexOf('.') + 1) + " in " + component,
                        2,
                        2,
                        (bed, random) -> {
                            bed.daemon()
                                    .send("throw " + spot.thread() + " " + spot.method() + " " + what + " "
                                            + skipped(component, random));
                            spot.stir().on(bed, random);
                        },
                        (bed, random) -> bed.disarm()));
            }
        });
        return all;
    }

    /** Most often where the loop begins anew; those that have much to do, in the middle of it, too. */
    private static int skipped(Component component, Random random) {
        return BUSY.contains(component) && random.nextInt(2) == 0 ? random.nextInt(500) : 0;
    }
}
