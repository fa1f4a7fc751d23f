package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.MNT_DETACH;
import static io.dualstackd.netlink.sys.LinuxNumbers.MS_BIND;
import static io.dualstackd.netlink.sys.LinuxNumbers.MS_REC;
import static io.dualstackd.netlink.sys.LinuxNumbers.MS_SHARED;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Network namespaces with a name: a file in a directory, on which the namespace is mounted. With the default directory they are those that
 * {@code ip netns list} shows.
 *
 * @param directory the directory of the names; created when first needed
 */
public record NamedNetNs(Path directory) {
    /** {@code /run/netns}, the directory of {@code ip netns}. */
    public static final NamedNetNs DEFAULT = new NamedNetNs(Path.of("/run/netns"));

    /**
     * Gives a namespace a name, which keeps it alive until {@link #delete}.
     *
     * @throws java.nio.file.FileAlreadyExistsException when the name is taken
     */
    public void add(String name, NetNs ns) throws IOException {
        Path file = file(name);
        Files.createDirectories(directory);
        shareMounts();
        Files.createFile(file);
        try {
            mount("/proc/thread-self/fd/" + ns.fd().number(), file.toString(), MS_BIND);
        } catch (SysException e) {
            Files.delete(file);
            throw e;
        }
    }

    /** @throws SysException with {@code ENOENT} when there is none of that name */
    public NetNs open(String name) throws SysException {
        return NetNs.ofPath(file(name));
    }

    /** Removes the name; the namespace ends when nothing else holds it. Does nothing when there is none of that name. */
    public void delete(String name) throws IOException {
        Path file = file(name);
        Libc libc = NativeLibc.libc();
        try {
            NativeLibc.retry("unmount " + file, () -> libc.umount2(file.toString(), MNT_DETACH));
        } catch (SysException e) {
            // EINVAL: a name without a namespace, left by a crash between the two steps of add. ENOENT: no such name.
            if (!e.errno().equals(Errno.EINVAL) && !e.errno().equals(Errno.ENOENT)) {
                throw e;
            }
        }
        Files.deleteIfExists(file);
    }

    /** All names, sorted. */
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private Path file(String name) {
        if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("\"" + name + "\" cannot name a network namespace");
        }
        return directory.resolve(name);
    }

    /**
     * Makes the directory a shared mount, as {@code ip netns} does: otherwise a process that keeps a copy of the mount table
     * (a container, a service with a private /tmp) keeps a deleted namespace alive.
     */
    private void shareMounts() throws SysException {
        String path = directory.toString();
        try {
            mount("", path, MS_SHARED | MS_REC);
        } catch (SysException notAMountPoint) {
            if (!notAMountPoint.errno().equals(Errno.EINVAL)) {
                throw notAMountPoint;
            }
            mount(path, path, MS_BIND | MS_REC);
            mount("", path, MS_SHARED | MS_REC);
        }
    }

    private static void mount(String source, String target, long flags) throws SysException {
        Libc libc = NativeLibc.libc();
        NativeLibc.retry("mount on " + target, () -> libc.mount(source, target, "none", flags, null));
    }
}
