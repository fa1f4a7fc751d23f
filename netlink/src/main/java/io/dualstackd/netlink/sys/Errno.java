package io.dualstackd.netlink.sys;

/**
 * A Linux error number.
 *
 * @param number positive, as in {@code asm-generic/errno.h}; the kernel's netlink answers carry it negated
 */
public record Errno(int number) {
    public static final Errno EPERM = new Errno(1);
    public static final Errno ENOENT = new Errno(2);
    public static final Errno ESRCH = new Errno(3);
    public static final Errno EINTR = new Errno(4);
    public static final Errno EIO = new Errno(5);
    public static final Errno EBADF = new Errno(9);
    public static final Errno EAGAIN = new Errno(11);
    public static final Errno ENOMEM = new Errno(12);
    public static final Errno EACCES = new Errno(13);
    public static final Errno EBUSY = new Errno(16);
    public static final Errno EEXIST = new Errno(17);
    public static final Errno ENODEV = new Errno(19);
    public static final Errno EINVAL = new Errno(22);
    public static final Errno EMFILE = new Errno(24);
    public static final Errno ENOSPC = new Errno(28);
    public static final Errno EROFS = new Errno(30);
    public static final Errno ERANGE = new Errno(34);
    public static final Errno ENAMETOOLONG = new Errno(36);
    public static final Errno ENOSYS = new Errno(38);
    public static final Errno ERESTART = new Errno(85);
    public static final Errno EMSGSIZE = new Errno(90);
    public static final Errno ENOPROTOOPT = new Errno(92);
    public static final Errno EPROTONOSUPPORT = new Errno(93);
    public static final Errno EOPNOTSUPP = new Errno(95);
    public static final Errno EAFNOSUPPORT = new Errno(97);
    public static final Errno EADDRINUSE = new Errno(98);
    public static final Errno EADDRNOTAVAIL = new Errno(99);
    public static final Errno ENETDOWN = new Errno(100);
    public static final Errno ENETUNREACH = new Errno(101);
    public static final Errno ENOBUFS = new Errno(105);
    public static final Errno ETIMEDOUT = new Errno(110);

    public Errno {
        if (number <= 0) {
            throw new IllegalArgumentException("an error number is positive, not " + number);
        }
    }

    /** {@code ENOENT}, or {@code errno-4000} for a number without a name. */
    public String name() {
        ErrnoNames.Entry entry = ErrnoNames.of(number);
        return entry.name().equals("errno") ? "errno-" + number : entry.name();
    }

    /** The meaning of the number, as in {@code strerror(3)}: {@code No such file or directory}. */
    public String meaning() {
        return ErrnoNames.of(number).meaning();
    }

    /** {@code ENOENT (2) No such file or directory}. */
    @Override
    public String toString() {
        return name() + " (" + number + ") " + meaning();
    }
}
