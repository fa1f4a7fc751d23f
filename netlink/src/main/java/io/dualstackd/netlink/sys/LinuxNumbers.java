package io.dualstackd.netlink.sys;

/** Numbers of Linux headers that this package passes to libc; equal on x86-64 and arm64. */
final class LinuxNumbers {
    // bits/socket.h
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_NETLINK = 16;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int SOL_SOCKET = 1;
    static final int SO_PEERCRED = 17;
    static final int SO_RCVTIMEO = 20;
    static final int SO_SNDTIMEO = 21;
    static final int SO_NETNS_COOKIE = 71;
    static final int SOL_NETLINK = 270;

    // fcntl.h
    static final int TIOCGWINSZ = 0x5413;
    static final int O_RDONLY = 0;
    static final int O_CREAT = 0x40;
    static final int O_CLOEXEC = 0x80000;

    // sys/file.h
    static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;

    // bits/mman.h
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_PRIVATE = 2;
    static final int MAP_ANONYMOUS = 0x20;
    static final int MREMAP_MAYMOVE = 1;
    static final int MADV_DONTNEED = 4;
    static final int MADV_NOHUGEPAGE = 15;

    // linux/userfaultfd.h
    static final int UFFD_USER_MODE_ONLY = 1;
    static final long UFFD_API = 0xaa;
    static final long UFFD_FEATURE_WP_ASYNC = 1L << 15;
    static final long UFFDIO_API = 0xc018aa3fL;
    static final long UFFDIO_REGISTER = 0xc020aa00L;
    static final long UFFDIO_REGISTER_MODE_WP = 1L << 1;

    // sys/eventfd.h
    static final int EFD_CLOEXEC = 0x80000;
    static final int EFD_NONBLOCK = 0x800;

    // poll.h
    static final short POLLIN = 0x1;

    // asm-generic/unistd.h; the same number on every architecture
    static final int SYS_PIDFD_OPEN = 434;

    // sched.h
    static final int CLONE_NEWNET = 0x40000000;

    private LinuxNumbers() {}
}
