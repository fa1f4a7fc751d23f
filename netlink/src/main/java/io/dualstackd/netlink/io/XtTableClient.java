package io.dualstackd.netlink.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.Fd;
import io.dualstackd.netlink.sys.NativeMemory;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sockets;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.xt.XtStruct;
import io.dualstackd.netlink.xt.table.Replacement;
import io.dualstackd.netlink.xt.table.TableBlob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reads and replaces the tables of iptables legacy of one family, through socket options ({@code linux/netfilter_ipv4/ip_tables.h}, {@code
 * linux/netfilter_ipv6/ip6_tables.h}). The kernel transfers whole tables only, so the cost of every call is proportional to the size of the
 * table. Used by one thread.
 *
 * <p>The socket is a datagram socket, not a raw one as in the iptables tools: the kernel checks {@code CAP_NET_ADMIN} only, and a raw one
 * would require {@code CAP_NET_RAW} as well.
 */
public final class XtTableClient implements AutoCloseable {
    // IPPROTO_IP, IPPROTO_IPV6
    private static final int LEVEL_4 = 0;
    private static final int LEVEL_6 = 41;
    // IPT_SO_SET_*, IPT_SO_GET_*; the same for IPv6, except for the revision options.
    private static final int SET_REPLACE = 64;
    private static final int SET_ADD_COUNTERS = 65;
    private static final int GET_INFO = 64;
    private static final int GET_ENTRIES = 65;
    private static final int GET_REVISION_MATCH_4 = 66;
    private static final int GET_REVISION_TARGET_4 = 67;
    private static final int GET_REVISION_MATCH_6 = 68;
    private static final int GET_REVISION_TARGET_6 = 69;

    private static final int NAME_SIZE = 32;
    // struct ipt_getinfo
    private static final int INFO_SIZE = 84;
    private static final int INFO_HOOKS = 32;
    private static final int INFO_HOOK_ENTRIES = 36;
    private static final int INFO_UNDERFLOWS = 56;
    private static final int INFO_COUNT = 76;
    private static final int INFO_BYTES = 80;
    // struct ipt_get_entries, struct xt_counters_info
    private static final int GET_HEADER = 40;
    // struct ipt_replace
    private static final int REPLACE_HEADER = 96;
    // struct xt_get_revision
    private static final int REVISION_SIZE = 30;
    private static final int REVISION_AT = 29;
    private static final int COUNTER = 16;

    private static final int READ_ATTEMPTS = 20;

    private final IpFamily family;
    private final NetNs ns;
    private final Fd socket;
    private final int level;

    private XtTableClient(IpFamily family, NetNs ns, Fd socket) {
        this.family = family;
        this.ns = ns;
        this.socket = socket;
        this.level = switch (family) {
            case IPV4 -> LEVEL_4;
            case IPV6 -> LEVEL_6;
        };
    }

    /**
     * For the tables of a namespace.
     *
     * @param ns must stay open as long as the client
     */
    public static XtTableClient open(IpFamily family, NetNs ns) throws IOException {
        return new XtTableClient(family, ns, inside(ns, () -> Sockets.internet(family.number())));
    }

    /** The size of a table: when it changes, the rules have changed, though not the other way round. */
    public record Size(int entries, int bytes) {}

    /**
     * Returns the names of the existing tables. A request for a table that does not exist would create it, and every packet would then
     * traverse it; so this must be checked first. None where the kernel has no iptables legacy.
     */
    public Set<String> tables() throws IOException {
        return tables(family, ns);
    }

    /** The names of the existing tables, as in {@link #tables()}. */
    public static Set<String> tables(IpFamily family, NetNs ns) throws IOException {
        String file = switch (family) {
            case IPV4 -> "ip_tables_names";
            case IPV6 -> "ip6_tables_names";
        };
        try {
            // In the namespace of the thread; /proc/net is that of the process.
            String names = inside(
                    ns, () -> Files.readString(Path.of("/proc/thread-self/net", file), StandardCharsets.US_ASCII));
            return new LinkedHashSet<>(names.lines().toList());
        } catch (NoSuchFileException e) {
            return Set.of();
        }
    }

    /**
     * Returns the size of a table. Creates the table if it does not exist.
     *
     * @throws SysException with {@code ENOENT} or {@code ENOPROTOOPT} when the kernel has no such table
     */
    public Size size(String table) throws SysException {
        ByteBuffer info = info(table);
        return new Size(info.getInt(INFO_COUNT), info.getInt(INFO_BYTES));
    }

    private ByteBuffer info(String table) throws SysException {
        ByteBuffer info = named(INFO_SIZE, table);
        option(GET_INFO, info, "read " + family + " table " + table);
        return info;
    }

    /** Reads a table. Creates it if it does not exist; throws as {@link #size} does. */
    public TableBlob read(String table) throws SysException {
        for (int attempt = 1; ; attempt++) {
            ByteBuffer info = info(table);
            int size = info.getInt(INFO_BYTES);
            try (NativeMemory memory = NativeMemory.map((long) GET_HEADER + size)) {
                ByteBuffer request = named(GET_HEADER, table);
                request.putInt(NAME_SIZE, size);
                put(memory, request);
                Sockets.option(socket, level, GET_ENTRIES, memory, GET_HEADER + size);
                byte[] entries = new byte[size];
                memory.get(GET_HEADER, entries, size);
                return blob(table, info, entries);
            } catch (SysException e) {
                // Replaced by a table of another size since the size was read.
                if (!e.errno().equals(Errno.EAGAIN) || attempt == READ_ATTEMPTS) {
                    throw new SysException("read " + family + " table " + table, e.errno());
                }
            }
        }
    }

    private TableBlob blob(String table, ByteBuffer info, byte[] entries) {
        int[] hookEntries = new int[TableBlob.HOOKS];
        int[] underflows = new int[TableBlob.HOOKS];
        int validHooks = info.getInt(INFO_HOOKS);
        for (int hook = 0; hook < TableBlob.HOOKS; hook++) {
            // The kernel's values for hooks without a chain are undefined.
            if ((validHooks >>> hook & 1) == 1) {
                hookEntries[hook] = info.getInt(INFO_HOOK_ENTRIES + Integer.BYTES * hook);
                underflows[hook] = info.getInt(INFO_UNDERFLOWS + Integer.BYTES * hook);
            }
        }
        return new TableBlob(family, table, validHooks, hookEntries, underflows, info.getInt(INFO_COUNT), entries);
    }

    /** A new table is in force, but the kernel did not take over what the rules of the old one had counted. */
    public static final class CountersLost extends IOException {
        private static final long serialVersionUID = 1L;

        CountersLost(TableBlob table, SysException reason) {
            super(
                    table + ": the table is in force, but what its rules had counted is lost: " + reason.getMessage(),
                    reason);
        }
    }

    /**
     * Replaces a table atomically: each packet traverses either the old or the new one. Rules that existed before keep their counters.
     *
     * @throws SysException with {@code EAGAIN} when the table in the kernel has another number of entries than the predecessor; other
     *     errors of the kernel do not name the rule. Nothing was changed then
     * @throws CountersLost when the new table is in force, but its counters start from zero
     */
    public void replace(Replacement replacement) throws SysException, CountersLost {
        TableBlob old = replacement.predecessor();
        TableBlob now = replacement.blob();
        String operation = "replace " + family + " table " + now.name();
        int length = REPLACE_HEADER + now.size();
        try (NativeMemory counters = NativeMemory.map((long) COUNTER * old.count());
                NativeMemory memory = NativeMemory.map(length)) {
            ByteBuffer header = named(REPLACE_HEADER, now.name());
            header.putInt(32, now.validHooks()).putInt(36, now.count()).putInt(40, now.size());
            for (int hook = 0; hook < TableBlob.HOOKS; hook++) {
                header.putInt(44 + Integer.BYTES * hook, now.hookEntry(hook));
                header.putInt(64 + Integer.BYTES * hook, now.underflow(hook));
            }
            header.putInt(84, old.count()).putLong(88, counters.address());
            put(memory, header);
            memory.put(REPLACE_HEADER, now.entries(), now.size());
            try {
                Sockets.setOption(socket, level, SET_REPLACE, memory, length);
            } catch (SysException e) {
                throw new SysException(operation, e.errno());
            }
            addCounters(replacement, counters);
        }
    }

    /** The kernel starts a new table with zero counters, and has written the final counters of the old one to {@code from}. */
    private void addCounters(Replacement replacement, NativeMemory from) throws CountersLost {
        int entries = replacement.predecessor().count();
        byte[] bytes = new byte[COUNTER * entries];
        from.get(0, bytes, bytes.length);
        long[] before = new long[2 * entries];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(before);
        long[] counted = replacement.counted(before);
        int length = GET_HEADER + Long.BYTES * counted.length;
        ByteBuffer message = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
        message.put(name(replacement.blob().name()))
                .putInt(NAME_SIZE, replacement.blob().count());
        message.position(GET_HEADER)
                .slice()
                .order(ByteOrder.nativeOrder())
                .asLongBuffer()
                .put(counted);
        try (NativeMemory memory = NativeMemory.map(length)) {
            memory.put(0, message.array(), length);
            Sockets.setOption(socket, level, SET_ADD_COUNTERS, memory, length);
        } catch (SysException e) {
            throw new CountersLost(replacement.blob(), e);
        }
    }

    /** Whether the kernel has this revision of a match. */
    public boolean knowsMatch(XtStruct match) throws SysException {
        return knows(family == IpFamily.IPV4 ? GET_REVISION_MATCH_4 : GET_REVISION_MATCH_6, match);
    }

    /** Whether the kernel has this revision of a target. */
    public boolean knowsTarget(XtStruct target) throws SysException {
        return knows(family == IpFamily.IPV4 ? GET_REVISION_TARGET_4 : GET_REVISION_TARGET_6, target);
    }

    private boolean knows(int question, XtStruct extension) throws SysException {
        ByteBuffer request = named(REVISION_SIZE, extension.name());
        request.put(REVISION_AT, (byte) extension.revision());
        try {
            option(question, request, "ask for " + extension);
            return true;
        } catch (SysException e) {
            if (e.errno().equals(Errno.ENOENT) || e.errno().equals(Errno.EPROTONOSUPPORT)) {
                return false;
            }
            throw e;
        }
    }

    private void option(int name, ByteBuffer value, String operation) throws SysException {
        try {
            Sockets.option(socket, level, name, value);
        } catch (SysException e) {
            throw new SysException(operation, e.errno());
        }
    }

    private static ByteBuffer named(int size, String name) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        return buffer.put(0, name(name));
    }

    private static byte[] name(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private static void put(NativeMemory memory, ByteBuffer header) {
        byte[] bytes = new byte[header.capacity()];
        header.get(0, bytes);
        memory.put(0, bytes, bytes.length);
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T inside(NetNs ns, Work<T> work) throws IOException {
        try {
            return ns.call(work::run);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
