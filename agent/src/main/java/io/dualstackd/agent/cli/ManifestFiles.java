package io.dualstackd.agent.cli;

import io.dualstackd.standalone.edit.NamedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The files that {@code -f} and {@code -R} name. */
final class ManifestFiles {
    /** The most bytes of a manifest, as in the daemon's folder. */
    private static final int MAX_BYTES = 16 << 20;

    private static final String STDIN = "-";
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    /** Thrown when a file cannot be read; the message names it and the reason. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        Unreadable(String why) {
            super(why);
        }
    }

    private ManifestFiles() {}

    /** Adds the options to a command. */
    static CommandSpec options(CommandSpec spec, boolean required) {
        return spec.addOption(OptionSpec.builder("-f", "--filename")
                        .paramLabel("FILE|DIR")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .required(required)
                        .description(
                                "The objects, in YAML or JSON: a file, a folder, or - for standard input. May be given"
                                        + " several times; at most 4 MiB together.")
                        .build())
                .addOption(OptionSpec.builder("-R", "--recursive")
                        .description("Read folders recursively.")
                        .build());
    }

    /** The values of {@code -f}; empty when it is not given. */
    static List<String> given(ParseResult command) {
        return command.matchedOptionValue("--filename", List.of());
    }

    /** Reads all files that are given. */
    static List<NamedText> read(ParseResult command, InputStream in) throws Unreadable {
        List<NamedText> texts = new ArrayList<>();
        for (String file : given(command)) {
            texts.addAll(read(file, Options.isSet(command, "--recursive"), in));
        }
        return texts;
    }

    /**
     * Reads a file, or the manifests of a folder in the order of their names.
     *
     * @param recursive whether folders in the folder are read, too
     */
    static List<NamedText> read(String file, boolean recursive, InputStream in) throws Unreadable {
        return read(file, recursive, in, e -> {
            throw e;
        });
    }

    /** Deals with a file that is there and cannot be read. */
    interface Bad {
        void file(Unreadable why) throws Unreadable;
    }

    /** As {@link #read(String, boolean, InputStream)}; {@code bad} decides about each file that cannot be read. */
    static List<NamedText> read(String file, boolean recursive, InputStream in, Bad bad) throws Unreadable {
        try {
            if (file.equals(STDIN)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                refuseLarger("standard input", bytes.length);
                return List.of(new NamedText("stdin", text("standard input", bytes)));
            }
            if (file.matches("https?://.*")) {
                throw new Unreadable(file + " is not read; download it: curl -fsSL " + file + " | dualstackd … -f -");
            }
            Path path = Path.of(file);
            if (!Files.isDirectory(path)) {
                return read(path, bad).stream().toList();
            }
            List<NamedText> texts = new ArrayList<>();
            List<Path> manifests = manifests(path, recursive);
            for (Path manifest : manifests) {
                read(manifest, bad).ifPresent(texts::add);
            }
            if (manifests.isEmpty()) {
                throw new Unreadable(file + ": no file in it ends in " + String.join(", ", ENDINGS)
                        + (recursive ? "" : "; -R reads the folders in it, too"));
            }
            return texts;
        } catch (NoSuchFileException e) {
            throw new Unreadable(e.getFile() + " does not exist");
        } catch (AccessDeniedException e) {
            throw new Unreadable(e.getFile() + " cannot be read: permission denied");
        } catch (IOException e) {
            throw new Unreadable(file + " cannot be read: " + e.getMessage());
        }
    }

    private static List<Path> manifests(Path folder, boolean recursive) throws IOException {
        // A link to a folder is no folder for the walk.
        Path real = folder.toRealPath();
        try (Stream<Path> files = Files.walk(real, recursive ? Integer.MAX_VALUE : 1)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> ENDINGS.stream().anyMatch(file.toString().toLowerCase(Locale.ROOT)::endsWith))
                    .map(real::relativize)
                    .filter(file -> !isHidden(file))
                    .map(folder::resolve)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            // A folder below it cannot be read.
            throw e.getCause();
        }
    }

    /** Whether the file or a folder in which it is is hidden: a volume of Kubernetes has its files in such a folder, and links to them. */
    private static boolean isHidden(Path file) {
        return StreamSupport.stream(file.spliterator(), false)
                .anyMatch(name -> name.toString().startsWith("."));
    }

    private static void refuseLarger(String what, long bytes) throws Unreadable {
        if (bytes > MAX_BYTES) {
            throw new Unreadable(what + " is larger than 16 MiB");
        }
    }

    private static Optional<NamedText> read(Path file, Bad bad) throws IOException, Unreadable {
        try {
            return Optional.of(read(file));
        } catch (Unreadable e) {
            bad.file(e);
            return Optional.empty();
        }
    }

    private static NamedText read(Path file) throws IOException, Unreadable {
        refuseLarger(file.toString(), Files.size(file));
        String place = file.toString().replaceAll("\\p{Cntrl}", "?");
        return new NamedText(
                String.valueOf(file.getFileName()), place, text(file.toString(), Files.readAllBytes(file)));
    }

    private static String text(String what, byte[] bytes) throws Unreadable {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Unreadable(what + " cannot be read: it is not UTF-8");
        }
    }
}
