package io.dualstackd.netlink.sys;

/** Thrown when native code cannot be loaded into this JVM. The message is one line with the remedy; a retry is useless. */
public final class NativeAccessException extends RuntimeException {
    NativeAccessException(Throwable cause) {
        super(
                "cannot call libc from this JVM (" + firstLine(cause) + "): start java with"
                        + " --enable-native-access=ALL-UNNAMED; if the temp directory is mounted noexec, unpack libjffi-*.so from the"
                        + " jffi jar into a directory that is not, and add -Djffi.boot.library.path=DIRECTORY",
                cause);
    }

    private static String firstLine(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage());
        return root.getClass().getSimpleName() + ": "
                + text.lines().findFirst().orElse("").strip();
    }
}
