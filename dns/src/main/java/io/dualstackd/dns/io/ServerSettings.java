package io.dualstackd.dns.io;

import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.forward.ForwardSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The addresses and limits of the server, and the names it answers.
 *
 * @param listen addresses for both UDP and TCP, all of which are needed at the start; port 0 takes any that is free
 * @param early whether to listen on addresses that the node does not have yet
 * @param idle how long a TCP connection may stay open without a question
 * @param connectionsPerClient TCP connections of one client address
 * @param connections TCP connections of all clients
 */
public record ServerSettings(
        List<InetSocketAddress> listen,
        boolean early,
        Duration idle,
        int connectionsPerClient,
        int connections,
        ZoneSettings zone,
        ForwardSettings forward) {
    /** @throws IllegalArgumentException for an unspecified address: answers could leave from another one */
    public ServerSettings {
        listen = List.copyOf(listen);
        listen.forEach(ServerSettings::requireSpecific);
        if (idle.isNegative() || idle.isZero() || connectionsPerClient < 1 || connections < 1) {
            throw new IllegalArgumentException("the idle time " + idle + ", connections of a client "
                    + connectionsPerClient + " and of all " + connections + " must be positive");
        }
    }

    static void requireSpecific(InetSocketAddress address) {
        if (address.isUnresolved() || address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "\"" + address.getHostString()
                            + "\" is no address to listen on: it must be one address of the node, so that answers leave from the address that was asked");
        }
    }

    /** The defaults: ten seconds, 20 connections of a client and 200 in all. */
    public static ServerSettings defaults(List<InetSocketAddress> listen, ZoneSettings zone, ForwardSettings forward) {
        return new ServerSettings(listen, false, Duration.ofSeconds(10), 20, 200, zone, forward);
    }
}
