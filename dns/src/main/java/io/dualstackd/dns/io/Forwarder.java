package io.dualstackd.dns.io;

import io.dualstackd.dns.forward.AnswerCache;
import io.dualstackd.dns.forward.ForwardKey;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.forward.NameserverOrder;
import io.dualstackd.dns.forward.Shares;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.Edns;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Answers questions from the cache or through other resolvers. Equal questions that are under way at the same time are sent once. */
final class Forwarder {
    private final DnsLoop loop;
    private final ForwardSettings settings;
    private AnswerCache cache;
    private final Shares<InetAddress> shares;
    private Map<ForwardKey, List<Waiting>> underway = new HashMap<>();
    private final LongSupplier nanos;
    private final Counters counters;
    private List<Nameserver> nameservers = List.of();
    private NameserverOrder order = new NameserverOrder(nameservers);

    private record Waiting(InetAddress client, boolean wantsAuthenticData, Consumer<DnsAnswer> to) {}

    Forwarder(DnsLoop loop, ForwardSettings settings, LongSupplier nanos, Counters counters) {
        this.loop = loop;
        this.settings = settings;
        this.cache = new AnswerCache(settings);
        this.shares = new Shares<>(settings.perClient(), settings.atOnce());
        this.nanos = nanos;
        this.counters = counters;
    }

    /** Replaces the resolvers. What the former ones answered is forgotten: those of another network may know other names. */
    void nameservers(List<Nameserver> others) {
        if (!others.equals(nameservers)) {
            nameservers = List.copyOf(others);
            order = new NameserverOrder(nameservers);
            cache = new AnswerCache(settings);
            // Answers that are still under way are for those that asked for them.
            underway = new HashMap<>();
        }
    }

    /** Whether any other resolver is configured. */
    boolean isUsable() {
        return !nameservers.isEmpty();
    }

    /**
     * Answers a question of a client.
     *
     * @param query of the client
     * @param question the client's own question, or one for the target of an alias
     */
    void forward(DnsQuery query, DnsQuestion question, InetAddress client, Consumer<DnsAnswer> to) {
        boolean dnssecOk = query.edns().filter(Edns::dnssecOk).isPresent();
        ForwardKey key = new ForwardKey(question, dnssecOk, query.checkingDisabled());
        Waiting waiting = new Waiting(client, dnssecOk || query.authenticData(), to);
        var known = cache.get(key, nanos.getAsLong());
        if (known.isPresent()) {
            counters.cached++;
            tell(waiting, known.get());
            return;
        }
        switch (shares.take(client)) {
            case CLIENT_HAS_ENOUGH -> {
                counters.overLimit++;
                to.accept(DnsAnswer.failure(DnsResponseCode.REFUSED));
            }
            case NONE_LEFT -> {
                counters.overLimit++;
                to.accept(DnsAnswer.failure(DnsResponseCode.SERVFAIL));
            }
            case GRANTED -> {
                counters.forwarded++;
                Map<ForwardKey, List<Waiting>> all = underway;
                AnswerCache into = cache;
                List<Waiting> others = all.get(key);
                if (others != null) {
                    others.add(waiting);
                    return;
                }
                all.put(key, new ArrayList<>(List.of(waiting)));
                new Exchange(loop, settings, order, nanos, key, (answer, bytes) -> {
                            if (bytes > 0) {
                                into.put(key, answer, bytes, nanos.getAsLong());
                            }
                            finished(Objects.requireNonNullElse(all.remove(key), List.of()), answer, bytes);
                        })
                        .begin();
            }
        }
    }

    private void finished(List<Waiting> all, DnsAnswer answer, int bytes) {
        all.forEach(waiting -> shares.giveBack(waiting.client));
        if (bytes == 0) {
            counters.failed += all.size();
        }
        all.forEach(waiting -> tell(waiting, answer));
    }

    /** RFC 6840, 5.7: only a client that set {@code AD} or {@code DO} gets {@code AD}. */
    private static void tell(Waiting waiting, DnsAnswer answer) {
        waiting.to.accept(
                answer.authenticData() && !waiting.wantsAuthenticData
                        ? new DnsAnswer(
                                answer.code(),
                                answer.authoritative(),
                                false,
                                answer.truncated(),
                                answer.answers(),
                                answer.authority(),
                                answer.additional())
                        : answer);
    }

    /** Whether none of the resolvers answered when it was last queried, a short time ago. */
    boolean isSilent() {
        return order.allSilent(nanos.getAsLong());
    }

    int remembered() {
        return cache.size();
    }

    long rememberedBytes() {
        return cache.bytes();
    }

    int waiting() {
        return shares.taken();
    }
}
