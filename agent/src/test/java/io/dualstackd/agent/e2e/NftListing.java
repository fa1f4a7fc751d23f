package io.dualstackd.agent.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code nft list} prints of our table, sorted by owner. Addresses, ports and names identify the Service, as
 * {@link Manifests} and {@link Variants} number them. Two things depend on what was there before, and mean nothing: which of its endpoints
 * has which number, and which numbers of endpoints have a chain; so numbers are checked here, and left out.
 */
final class NftListing {
    private static final Pattern BLOCK = Pattern.compile("\t(set|map|chain) (\\S+) \\{");
    private static final Pattern NUMBERED = Pattern.compile("(\\D+)-([1-9][0-9]*)");
    private static final Pattern SLOT = Pattern.compile("(.* \\. )(\\d+) : (.*)");
    private static final Pattern LEADS = Pattern.compile(".* @(\\D+-\\d+) goto (\\D+-\\d+)");
    private static final Pattern DRAW = Pattern.compile("numgen random mod (\\d+) 0 (goto .*)");

    private static final List<Owner> OWNERS = List.of(
            new Owner("\\be2e/s(\\d+)\\b", 10, 1, 0),
            new Owner("\\b10\\.96\\.0\\.(\\d+)\\b", 10, 1, 1),
            new Owner("\\b198\\.51\\.100\\.(\\d+)\\b", 10, 1, 1),
            new Owner("\\bfd00:10:96::(\\p{XDigit}+)\\b", 16, 1, 1),
            new Owner("\\b2001:db8:51::(\\p{XDigit}+)\\b", 16, 1, 1),
            new Owner("\\btcp \\. 30(\\d{3})\\b", 10, 1, 0),
            new Owner("\\b10\\.244\\.0\\.(\\d+)\\b", 10, 10, 1),
            new Owner("\\bfd00:10:244::(\\p{XDigit}+)\\b", 16, 10, 1));

    private final Map<String, List<String>> services = new TreeMap<>();
    private final List<String> frame = new ArrayList<>();
    /** Sets and chains for a number of endpoints, and those that rules look into or lead to. */
    private final Set<String> there = new TreeSet<>();

    private final Set<String> used = new TreeSet<>();

    /** Something that names a Service: its number comes after taking {@code first} away, {@code each} of them belong to one. */
    private record Owner(Pattern pattern, int radix, int each, int first) {
        Owner(String pattern, int radix, int each, int first) {
            this(Pattern.compile(pattern), radix, each, first);
        }

        Optional<String> of(String text) {
            Matcher found = pattern.matcher(text);
            return found.find()
                    ? Optional.of("e2e/s" + (Integer.parseInt(found.group(1), radix) - first) / each)
                    : Optional.empty();
        }
    }

    private NftListing() {}

    /** @param listed nothing, or one table */
    static Listing parse(String listed) {
        NftListing listing = new NftListing();
        String kind = "";
        String name = "";
        List<String> lines = new ArrayList<>();
        for (String line : listed.lines().toList()) {
            Matcher block = BLOCK.matcher(line);
            if (block.matches()) {
                kind = block.group(1);
                name = block.group(2);
                lines = new ArrayList<>();
            } else if (line.equals("\t}")) {
                listing.add(kind, name, lines);
            } else {
                lines.add(line.strip());
            }
        }
        if (!listing.there.equals(listing.used)) {
            throw new AssertionError("numbers that are there: " + listing.there + ", that are used: " + listing.used);
        }
        listing.services.values().forEach(its -> its.sort(null));
        return new Listing(
                listing.services, listing.frame.stream().distinct().sorted().toList());
    }

    private void add(String kind, String name, List<String> lines) {
        Optional<String> owner = owner(name);
        if (kind.equals("chain")) {
            addChain(name, owner, lines);
        } else {
            addSet(name, owner, String.join(" ", lines));
        }
    }

    private void addChain(String name, Optional<String> owner, List<String> rules) {
        Matcher numbered = NUMBERED.matcher(name);
        if (owner.isPresent()) {
            lines(name, drawn(rules), linesOf(owner.get()));
        } else if (numbered.matches()) {
            there.add(name);
            String draw = "dnat ip6? to .* numgen random mod " + numbered.group(2) + " map @\\S*endpoints";
            if (rules.size() != 2
                    || !rules.getFirst().matches(draw)
                    || !rules.getLast().equals("goto " + numbered.group(1) + "-first")) {
                throw new AssertionError(name + " is not whole: " + rules);
            }
        } else {
            List<String> usual = new ArrayList<>();
            for (String rule : rules) {
                Matcher leads = LEADS.matcher(rule);
                if (leads.matches()) {
                    used.add(leads.group(1));
                    used.add(leads.group(2));
                } else {
                    usual.add(rule);
                }
            }
            lines(name, usual, frame);
        }
    }

    private static void lines(String chain, List<String> rules, List<String> to) {
        to.add(chain + " is there");
        for (int i = 0; i < rules.size(); i++) {
            to.add(chain + " " + i + " " + rules.get(i));
        }
    }

    /** Any order of endpoints is as good, if each is drawn by the number of those that are left. */
    private static List<String> drawn(List<String> rules) {
        if (rules.stream().noneMatch(rule -> rule.startsWith("goto "))) {
            return rules;
        }
        List<String> leads = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String rule : rules) {
            Matcher draw = DRAW.matcher(rule);
            leads.add(draw.matches() ? draw.group(2) : rule);
            left.add(draw.matches() ? draw.group(1) : rule.startsWith("goto ") ? "last" : "remembered");
        }
        leads.sort(null);
        leads.add("order " + left);
        return leads;
    }

    private void addSet(String name, Optional<String> owner, String text) {
        int elements = text.indexOf("elements = { ");
        String type = elements < 0 ? text : text.substring(0, elements).strip();
        Matcher numbered = NUMBERED.matcher(name);
        if (owner.isPresent()) {
            linesOf(owner.get()).add(name + " " + type);
        } else if (numbered.matches()) {
            there.add(name);
        } else {
            frame.add(name + " " + type);
        }
        if (elements >= 0) {
            String all = text.substring(elements + "elements = { ".length(), text.lastIndexOf(" }"));
            addElements(name, Arrays.asList(all.split(", +", -1)));
        }
    }

    private void addElements(String name, List<String> elements) {
        Map<String, TreeSet<Integer>> slots = new TreeMap<>();
        for (String element : elements) {
            String its = owner(element)
                    .orElseThrow(() -> new AssertionError(name + " has an element of nobody: " + element));
            Matcher slot = SLOT.matcher(element);
            if (slot.matches() && name.endsWith("endpoints")) {
                slots.computeIfAbsent(slot.group(1), key -> new TreeSet<>()).add(Integer.parseInt(slot.group(2)));
                linesOf(its).add(name + " " + slot.group(1) + slot.group(3));
            } else {
                linesOf(its).add(name + " " + element);
            }
        }
        slots.forEach((destination, numbered) ->
                linesOf(owner(destination).orElseThrow()).add(name + " " + destination + "numbers " + numbered));
    }

    private List<String> linesOf(String owner) {
        return services.computeIfAbsent(owner, service -> new ArrayList<>());
    }

    private static Optional<String> owner(String text) {
        return OWNERS.stream().flatMap(owner -> owner.of(text).stream()).findFirst();
    }
}
