import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import threadgauge.load.agent.AgentCountersKt;

/**
 * Adds up the agent's histograms and says their percentiles, with the agent's own code. Reads lines of a name and an
 * encoded histogram; prints a line for each name: how many values, and p50, p99 and the highest in nanoseconds.
 */
public class Percentiles {
    public static void main(String[] arguments) throws IOException {
        var sums = new TreeMap<String, Histogram>();
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            sums.merge(words[0], AgentCountersKt.decode(words[1]), (sum, each) -> {
                sum.add(each);
                return sum;
            });
        }
        sums.forEach((name, sum) -> System.out.printf("%s %d %d %d %d%n", name, sum.getTotalCount(),
            sum.getValueAtPercentile(50), sum.getValueAtPercentile(99), sum.getMaxValue()));
    }
}
