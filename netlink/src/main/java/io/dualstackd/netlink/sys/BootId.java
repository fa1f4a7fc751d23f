package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The boot id of the kernel, which tells one boot of a machine from every other: {@code sys/kernel/random/boot_id} of proc(5). */
public final class BootId {
    private BootId() {}

    /** The boot id of the running kernel. */
    public static String current() throws IOException {
        return in(Path.of("/proc"));
    }

    /** The boot id in another folder with the layout of {@code /proc}. */
    public static String in(Path proc) throws IOException {
        return Files.readString(proc.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII)
                .strip();
    }
}
