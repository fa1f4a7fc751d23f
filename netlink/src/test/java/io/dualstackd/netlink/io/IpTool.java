package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs the {@code ip} program in a namespace, as a reference that is independent of this library. */
final class IpTool {
    private IpTool() {}

    /** Runs {@code ip -j ARGUMENTS} inside; the answer is JSON on one line. */
    static String json(NetNs ns, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip", "-j"));
        command.addAll(List.of(arguments));
        return run(ns, command);
    }

    /** Runs a program inside and returns what it prints. */
    static String run(NetNs ns, List<String> command) throws Exception {
        String self =
                "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
        List<String> inside = new ArrayList<>(List.of("nsenter", "--net=" + self));
        inside.addAll(command);
        Process process = new ProcessBuilder(inside).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " says: " + output);
        }
        return output;
    }
}
