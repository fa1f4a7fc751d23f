package io.dualstackd.node.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Determines the node's name. */
public final class HostName {
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

    /** The kernel's value before the host name is set. */
    private static final String NOT_SET = "(none)";

    private HostName() {}

    /**
     * Returns the name as kubelet and kube-proxy determine it: the configured one, else the host's name, in lower case.
     *
     * @throws IOException if neither is a valid name
     */
    public static String of(Optional<String> override) throws IOException {
        String raw = override.isPresent() ? override.get() : Files.readString(KERNEL);
        String name = raw.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals(NOT_SET)) {
            throw new IOException(
                    "this host has no name, so the node has none: give it one, or say --hostname-override");
        }
        return name;
    }

    /**
     * Resolves a name with the hosts file and DNS, as seen from {@code ns}, once; returns nothing when there is no response within
     * {@code timeout}.
     */
    public static List<Ip> resolve(NetNs ns, String name, Duration timeout) {
        CompletableFuture<List<Ip>> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("names").start(() -> {
            try {
                answer.complete(NameLookup.Resolver.system(ns).resolve(name));
            } catch (Exception unknown) {
                answer.complete(List.of());
            }
        });
        return answer.completeOnTimeout(List.of(), timeout.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }
}
