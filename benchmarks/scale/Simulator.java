import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * What changes when a load comes from a thousand agents. Histograms, their text and their sums are those of
 * Threadgauge's agents, so their sizes and times are measured. Arrivals and queues are simulated: no request is sent.
 * Everything is drawn from one seed.
 */
public class Simulator {
    static final long SEED = 20261127;
    static final int AGENTS = 1_000;
    static final double PER_SECOND = 1e7;
    static boolean wrong = false;

    public static void main(String[] arguments) {
        System.out.printf(Locale.ROOT, "%,d agents, %,.0f requests/s, seed %d, JDK %s%n", AGENTS, PER_SECOND, SEED, Runtime.version());
        knownAnswers();
        sizes();
        fanIn();
        exact();
        regularLoad();
        burst();
        seconds();
        lost();
        if (wrong) System.exit(1);
    }

    /** Latencies in nanoseconds of one kind of server. */
    interface Shape { long draw(SplittableRandom random); }

    record Named(String name, Shape shape) {}

    static final Named[] SHAPES = {
        new Named("narrow: 1 ms, deviation of the logarithm 0.2", r -> lognormal(r, 1e6, 0.2)),
        new Named("usual: 1 ms, deviation of the logarithm 0.7", r -> lognormal(r, 1e6, 0.7)),
        new Named("wide: 5 ms, deviation of the logarithm 1.5", r -> lognormal(r, 5e6, 1.5)),
        new Named("cache: 0.2 ms, every tenth 40 ms", r -> r.nextInt(10) == 0 ? lognormal(r, 4e7, 0.3) : lognormal(r, 2e5, 0.3)),
    };

    static long lognormal(SplittableRandom random, double median, double deviation) {
        return Math.max(1_000, (long) (median * Math.exp(deviation * random.nextGaussian())));
    }

    /** As newHistogram() of the agent: three digits, from a microsecond on, growing. */
    static Histogram newHistogram() {
        var histogram = new Histogram(1_000, 2_000_000, 3);
        histogram.setAutoResize(true);
        return histogram;
    }

    static Histogram recorded(Shape shape, int count, SplittableRandom random) {
        var histogram = newHistogram();
        for (int i = 0; i < count; i++) histogram.recordValue(shape.draw(random));
        return histogram;
    }

    static String encoded(Histogram histogram) {
        var buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    static Histogram decoded(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (java.util.zip.DataFormatException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static void title(String words) {
        System.out.printf("%n%s%n", words);
    }

    /** Stops nothing, but the exit code will be 1. */
    static void mustBe(String what, double is, double should, double within) {
        boolean holds = Math.abs(is - should) <= within * Math.abs(should);
        wrong |= !holds;
        System.out.printf(Locale.ROOT, "  %-66s %10.4g, should be %.4g%s%n", what, is, should, holds ? "" : "  WRONG");
    }

    // Queues: one queue, first come first served, each request takes the same time. Times in seconds.

    /**
     * Waiting times of arrivals, which are sorted in place. Lindley's recursion: the next waits w + service - gap, or
     * not at all.
     */
    static double[] waits(double[] arrivals, double service) {
        Arrays.parallelSort(arrivals);
        double[] waits = new double[arrivals.length];
        for (int i = 1; i < arrivals.length; i++) {
            waits[i] = Math.max(0, waits[i - 1] + service - (arrivals[i] - arrivals[i - 1]));
        }
        return waits;
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    static double percentile(double[] sorted, double percent) {
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(percent / 100 * sorted.length) - 1)];
    }

    static double[] poisson(int count, double perSecond, SplittableRandom random) {
        double[] times = new double[count];
        double now = 0;
        for (int i = 0; i < count; i++) times[i] = now += -Math.log(1 - random.nextDouble()) / perSecond;
        return times;
    }

    /** Errors of the agents' clocks in seconds, normally distributed. */
    static double[] clockErrors(double deviation, SplittableRandom random) {
        double[] errors = new double[AGENTS];
        for (int i = 0; i < AGENTS; i++) errors[i] = deviation * random.nextGaussian();
        return errors;
    }

    static void knownAnswers() {
        title("Known answers");
        var random = new SplittableRandom(SEED);
        for (double busy : new double[] {0.5, 0.8}) {
            // Pollaczek and Khinchine: the mean wait before a fixed service time is busy / (2 (1 - busy)) of it.
            double mean = mean(waits(poisson(8_000_000, 1, random), busy)) / busy;
            mustBe("mean wait in service times, random arrivals, busy " + busy, mean, busy / (2 * (1 - busy)), 0.03);
        }
        double[] regular = new double[100_000];
        for (int i = 0; i < regular.length; i++) regular[i] = i;
        mustBe("the same, regular arrivals: nobody waits", 1 + mean(waits(regular, 0.999)), 1, 1e-9);
    }

    static void sizes() {
        title("What one agent reports of one second: bytes of its histogram (text of the compressed form)");
        System.out.printf("  %-52s %9s %9s %9s %12s%n", "latencies", "100/s", "1,000/s", "10,000/s", "sum of 1,000");
        for (var each : SHAPES) {
            var random = new SplittableRandom(SEED);
            StringBuilder row = new StringBuilder();
            for (int count : new int[] {100, 1_000, 10_000}) {
                long bytes = 0;
                for (int i = 0; i < 20; i++) bytes += encoded(recorded(each.shape, count, random)).length();
                row.append(String.format(Locale.ROOT, " %,9d", bytes / 20));
            }
            var sum = newHistogram();
            for (int i = 0; i < AGENTS; i++) sum.add(recorded(each.shape, 10_000, random));
            System.out.printf(Locale.ROOT, "  %-52s%s %,12d%n", each.name, row, encoded(sum).length());
        }
    }

    static void fanIn() {
        title("What the coordinator does with them: 1,000 agents with 10,000/s each, a histogram each a second, one core");
        System.out.printf("  %-52s %12s %12s %12s %14s%n", "latencies", "read, µs", "add, µs", "of one core", "MB/s received");
        for (var each : SHAPES) {
            var random = new SplittableRandom(SEED);
            String[] texts = new String[200];
            for (int i = 0; i < texts.length; i++) texts[i] = encoded(recorded(each.shape, 10_000, random));
            double[] read = new double[30];
            double[] add = new double[30];
            for (int round = 0; round < read.length + 10; round++) {
                var sum = newHistogram();
                long begun = System.nanoTime();
                Histogram[] parts = new Histogram[texts.length];
                for (int i = 0; i < texts.length; i++) parts[i] = decoded(texts[i]);
                long between = System.nanoTime();
                for (Histogram part : parts) sum.add(part);
                long ended = System.nanoTime();
                if (round < 10) continue; // until it is compiled
                read[round - 10] = (between - begun) / 1e3 / texts.length;
                add[round - 10] = (ended - between) / 1e3 / texts.length;
            }
            Arrays.sort(read);
            Arrays.sort(add);
            double both = percentile(read, 50) + percentile(add, 50);
            double bytes = Arrays.stream(texts).mapToInt(String::length).average().orElseThrow();
            System.out.printf(Locale.ROOT, "  %-52s %12.1f %12.1f %11.1f %% %13.1f%n",
                each.name, percentile(read, 50), percentile(add, 50), both * AGENTS / 1e4, bytes * AGENTS / 1e6);
        }
    }

    static void exact() {
        title("Sum of the histograms of 1,000 agents against one histogram of all their requests");
        var shape = SHAPES[2].shape;
        var random = new SplittableRandom(SEED);
        var all = newHistogram();
        var sum = newHistogram();
        for (int agent = 0; agent < AGENTS; agent++) {
            var own = newHistogram();
            for (int i = 0; i < 10_000; i++) {
                long nanos = shape.draw(random);
                own.recordValue(nanos);
                all.recordValue(nanos);
            }
            sum.add(decoded(encoded(own)));
        }
        mustBe("requests", sum.getTotalCount(), all.getTotalCount(), 0);
        for (double percent : new double[] {50, 99, 99.9, 99.99, 100}) {
            mustBe("percentile " + percent + ", ns", sum.getValueAtPercentile(percent), all.getValueAtPercentile(percent), 0);
        }
        mustBe("equal in every count (1: yes)", sum.equals(all) ? 1 : 0, 1, 0);
    }

    static void regularLoad() {
        title("A rate of 10,000,000/s in equal steps, of which each agent sends every thousandth request: waits in service times");
        System.out.printf("  %-34s %8s %8s %8s %8s %8s%n", "clocks deviate by", "busy", "mean", "p50", "p99", "p99.9");
        int count = 10_000_000;
        for (double busy : new double[] {0.5, 0.8, 0.95}) {
            double service = busy / PER_SECOND;
            for (double deviation : new double[] {0, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2}) {
                double[] errors = clockErrors(deviation, new SplittableRandom(SEED));
                double[] arrivals = new double[count];
                for (int i = 0; i < count; i++) arrivals[i] = i / PER_SECOND + errors[i % AGENTS];
                printWaits(seconds(deviation), busy, inTheMiddle(waits(arrivals, service)), service);
            }
            printWaits("(random arrivals, for comparison)", busy, waits(poisson(count, PER_SECOND, new SplittableRandom(SEED)), service), service);
        }
    }

    /** Without the first and the last fifth, in which not all agents send. */
    static double[] inTheMiddle(double[] values) {
        return Arrays.copyOfRange(values, values.length / 5, values.length * 4 / 5);
    }

    static void printWaits(String name, double busy, double[] waits, double service) {
        double mean = mean(waits) / service;
        Arrays.parallelSort(waits);
        System.out.printf(Locale.ROOT, "  %-34s %8.2f %8.2f %8.2f %8.2f %8.2f%n",
            name, busy, mean, percentile(waits, 50) / service, percentile(waits, 99) / service, percentile(waits, 99.9) / service);
    }

    static String seconds(double seconds) {
        if (seconds == 0) return "0";
        if (seconds < 1e-6) return String.format(Locale.ROOT, "%.0f ns", seconds * 1e9);
        if (seconds < 1e-3) return String.format(Locale.ROOT, "%.0f µs", seconds * 1e6);
        return String.format(Locale.ROOT, "%.0f ms", seconds * 1e3);
    }

    static void burst() {
        title("10,000,000 requests at once, 10,000 of each agent, to a server of 1,000,000/s: latencies in seconds, each from its own start");
        System.out.printf("  %-20s %9s %9s %9s %9s %12s%n", "clocks deviate by", "p50", "p90", "p99", "longest", "p99 is off by");
        int each = 10_000;
        double perSecond = 1e6;
        double right = Double.NaN;
        for (double deviation : new double[] {0, 1e-3, 1e-2, 1e-1, 5e-1, 1}) {
            double[] errors = clockErrors(deviation, new SplittableRandom(SEED));
            double[] arrivals = new double[AGENTS * each];
            for (int i = 0; i < arrivals.length; i++) arrivals[i] = errors[i % AGENTS];
            double[] latencies = waits(arrivals, 1 / perSecond);
            for (int i = 0; i < latencies.length; i++) latencies[i] += 1 / perSecond;
            Arrays.parallelSort(latencies);
            double p99 = percentile(latencies, 99);
            if (deviation == 0) right = p99;
            System.out.printf(Locale.ROOT, "  %-20s %9.3f %9.3f %9.3f %9.3f %11.1f %%%n", seconds(deviation), percentile(latencies, 50),
                percentile(latencies, 90), p99, latencies[latencies.length - 1], (p99 / right - 1) * 100);
            if (deviation == 0) mustBe("p50 of a burst without errors, s", percentile(latencies, 50), 5, 0.001);
        }
    }

    static void seconds() {
        title("A server that stands still for a second: the share of its failures that merged seconds show in another second");
        System.out.printf("  %-20s %12s %26s%n", "clocks deviate by", "simulated", "formula, deviation √(2/π)");
        for (double deviation : new double[] {1e-3, 1e-2, 5e-2, 1e-1}) {
            double[] errors = clockErrors(deviation, new SplittableRandom(SEED));
            // What happens in the true second 5.0 to 6.0 is counted by an agent between 5.0 - error and 6.0 - error.
            double outside = Arrays.stream(errors).map(error -> Math.min(1, Math.abs(error))).sum() / AGENTS;
            System.out.printf(Locale.ROOT, "  %-20s %10.2f %% %24.2f %%%n", seconds(deviation), outside * 100, deviation * Math.sqrt(2 / Math.PI) * 100);
        }
    }

    static void lost() {
        title("Agents lost in a run: the chance that at least one is, and the share of the load that is missing on average");
        System.out.printf("  %-34s %10s %10s %10s %10s%n", "each is lost with a chance of", "3 agents", "30", "1,000", "missing");
        for (double chance : new double[] {1e-4, 1e-3, 1e-2}) {
            System.out.printf(Locale.ROOT, "  %-34s %8.2f %% %8.2f %% %8.2f %% %8.2f %%%n", String.format(Locale.ROOT, "%.2f %%", chance * 100),
                atLeastOne(chance, 3) * 100, atLeastOne(chance, 30) * 100, atLeastOne(chance, AGENTS) * 100, chance * 100);
        }
    }

    static double atLeastOne(double chance, int agents) {
        return 1 - Math.pow(1 - chance, agents);
    }
}
