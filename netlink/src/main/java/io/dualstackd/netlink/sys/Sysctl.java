package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/**
 * Kernel settings under {@code /proc/sys}. Those below {@code net} belong to a network namespace: the one of the thread that
 * opens the file.
 */
public final class Sysctl {
    private static final Path ROOT = Path.of("/proc/sys");
    private static final int PAGE = 4096;

    private Sysctl() {}

    /**
     * Reads a setting of a namespace.
     *
     * @param key path below {@code /proc/sys}, {@code net/ipv4/ip_forward}; slashes, as interface names contain dots
     */
    public static String read(NetNs ns, String key) throws IOException {
        return inside(ns, () -> wholeOf(file(key)).strip());
    }

    /**
     * Reads the file with one read: the kernel returns the value to the first read and then the end of the file, and the JDK's first read
     * of a file with a reported size of zero is one byte.
     */
    private static String wholeOf(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer page = ByteBuffer.allocate(PAGE);
            channel.read(page);
            return StandardCharsets.US_ASCII.decode(page.flip()).toString();
        }
    }

    /**
     * The interfaces for which a setting of a namespace has a value, and {@code all} and {@code default} likewise; none where the kernel
     * does not have the setting.
     *
     * @param folder {@code net/ipv6/conf}
     */
    public static Set<String> interfaces(NetNs ns, String folder, String setting, String value) throws IOException {
        return inside(ns, () -> interfaces(file(folder), setting, value));
    }

    static Set<String> interfaces(Path folder, String setting, String value) throws IOException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path one : all) {
                try {
                    if (wholeOf(one.resolve(setting)).strip().equals(value)) {
                        names.add(String.valueOf(one.getFileName()));
                    }
                } catch (NoSuchFileException e) {
                    // An older kernel, or an interface that is gone.
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Writes a setting of a namespace; {@code key} as in {@link #read}. */
    public static void write(NetNs ns, String key, String value) throws IOException {
        inside(ns, () -> Files.writeString(file(key), value, StandardCharsets.US_ASCII));
    }

    private static Path file(String key) {
        Path file = ROOT.resolve(key).normalize();
        if (!file.startsWith(ROOT.resolve("net"))) {
            throw new IllegalArgumentException("\"" + key + "\" is not a setting of a network namespace");
        }
        return file;
    }

    private static <T> T inside(NetNs ns, Callable<T> code) throws IOException {
        try {
            return ns.call(code);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }
}
