import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;

/**
 * Runs a program on several inputs in one process. Each run loads the classes anew. The arguments are the folder of the
 * classes, the class with the method main, and the longest CPU time of a run in milliseconds. Standard input contains the
 * number of inputs, and each input after its length. For each run, standard output gets its CPU time in milliseconds,
 * the length of its output, and the output. The time is -1, and there is no output, if the run failed or took too long.
 * Ends at the first run that does not end in time.
 */
class RunTogether {
    /** The longest output of a run, in bytes. */
    static final int LONGEST_OUTPUT = 1 << 20;

    /** A run may take this multiple of its longest CPU time. */
    static final int MOST_WAITS = 20;

    static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

    public static void main(String[] words) throws Exception {
        DataInputStream inputs = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream results = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        URL[] folder = {Paths.get(words[0]).toUri().toURL()};
        long most = Long.parseLong(words[2]);
        int count = inputs.readInt();
        for (int number = 0; number < count; number++) {
            byte[] input = new byte[inputs.readInt()];
            inputs.readFully(input);
            Run run = new Run(folder, words[1], input);
            run.start();
            // The wall time is not the measure, because the machine may be busy. But a run may sleep.
            for (int wait = 0; wait < MOST_WAITS && run.isAlive() && run.cpuSoFar() <= most; wait++) run.join(most);
            if (run.isAlive() || run.group.activeCount() > 0) break;
            boolean isUsable = run.endedNormally && run.milliseconds <= most;
            byte[] output = isUsable ? run.output.toByteArray() : new byte[0];
            results.writeInt(isUsable ? (int) run.milliseconds : -1);
            results.writeInt(output.length);
            results.write(output);
        }
        // Ends threads that still run, without the program's hooks.
        Runtime.getRuntime().halt(0);
    }

    /** One run of the program. */
    static class Run extends Thread {
        final ThreadGroup group;
        final URL[] folder;
        final String name;
        final byte[] input;
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        volatile boolean endedNormally;
        /** The CPU time of the whole run. */
        volatile long milliseconds;

        Run(URL[] folder, String name, byte[] input) {
            this(new ThreadGroup("main"), folder, name, input);
        }

        private Run(ThreadGroup group, URL[] folder, String name, byte[] input) {
            super(group, "main");
            this.group = group;
            this.folder = folder;
            this.name = name;
            this.input = input;
        }

        /** Returns the CPU time in milliseconds, or -1 if the run has ended. */
        long cpuSoFar() {
            long nanoseconds = TIMES.getThreadCpuTime(getId());
            return nanoseconds < 0 ? -1 : nanoseconds / 1_000_000;
        }

        @Override
        public void run() {
            PrintStream out = new PrintStream(new Limited(output));
            System.setIn(new BufferedInputStream(new ByteArrayInputStream(input)));
            System.setOut(out);
            System.setErr(new PrintStream(OutputStream.nullOutputStream()));
            try (URLClassLoader loader = new URLClassLoader(folder, ClassLoader.getPlatformClassLoader())) {
                setContextClassLoader(loader);
                var main = Class.forName(name, true, loader).getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
                System.out.flush();
                endedNormally = System.out == out && !out.checkError();
            } catch (Throwable failure) {
                // The judge runs the program alone on this input.
            }
            milliseconds = TIMES.getCurrentThreadCpuTime() / 1_000_000;
        }
    }

    /** Fails beyond the longest output. */
    static class Limited extends OutputStream {
        final ByteArrayOutputStream bytes;

        Limited(ByteArrayOutputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] some, int from, int count) throws IOException {
            if (bytes.size() + count > LONGEST_OUTPUT) throw new IOException("the output is too long");
            bytes.write(some, from, count);
        }
    }
}
