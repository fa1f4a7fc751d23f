package io.dualstackd.kubeapi.tree;

/** Where a value was written. */
public sealed interface Place {
    /** The place without the field. */
    String position();

    /**
     * In a file.
     *
     * @param file its name as the user knows it
     * @param document counted from 1, 0 when the whole file is meant
     * @param line counted from 1, 0 when the whole file is meant
     * @param field path from the top of the document ({@code spec.ports[1].nodePort}), empty for the whole document
     */
    record InFile(String file, int document, int line, String field) implements Place {
        /** The whole file. */
        public static InFile whole(String file) {
            return new InFile(file, 0, 0, "");
        }

        @Override
        public String position() {
            StringBuilder text = new StringBuilder(file);
            if (line > 0) {
                text.append(':').append(line);
            }
            if (document > 0) {
                text.append(" (document ").append(document).append(')');
            }
            return text.toString();
        }

        @Override
        public String toString() {
            return position() + (field.isEmpty() ? "" : ": " + field);
        }
    }

    /**
     * On the command line.
     *
     * @param name with its dashes: {@code --cluster-cidr}
     */
    record Flag(String name) implements Place {
        @Override
        public String position() {
            return "flag " + name;
        }

        @Override
        public String toString() {
            return position();
        }
    }
}
