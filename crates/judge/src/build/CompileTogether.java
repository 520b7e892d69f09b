import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles several programs in one process. The arguments are the options of javac, and for each program an empty word,
 * its folder and its sources. Writes the folders of the programs that compile to the file `compiled`, one per line.
 */
class CompileTogether {
    public static void main(String[] words) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = null;
        List<String> compiled = new ArrayList<>();
        for (int start = 0; start <= words.length; ) {
            int end = start;
            while (end < words.length && !words[end].isEmpty()) end++;
            List<String> part = Arrays.asList(words).subList(start, end);
            if (options == null) {
                options = part;
            } else if (compiles(compiler, options, part.get(0), part.subList(1, part.size()))) {
                compiled.add(part.get(0));
            }
            start = end + 1;
        }
        Files.write(Paths.get("compiled"), compiled);
    }

    /** Returns whether the program compiles. Its classes are written into its folder, as if javac ran there. */
    static boolean compiles(JavaCompiler compiler, List<String> options, String folder, List<String> sources) {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-d", folder, "-cp", folder));
        for (String source : sources) words.add(folder + "/" + source);
        try {
            ByteArrayOutputStream unread = new ByteArrayOutputStream();
            return compiler.run(null, unread, unread, words.toArray(new String[0])) == 0;
        } catch (RuntimeException | StackOverflowError failure) {
            // The judge compiles this program alone, so that its author sees the usual message.
            return false;
        }
    }
}
