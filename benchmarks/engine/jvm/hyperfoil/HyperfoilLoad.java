import io.hyperfoil.api.config.Benchmark;
import io.hyperfoil.api.config.BenchmarkBuilder;
import io.hyperfoil.api.config.BenchmarkData;
import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.core.impl.LocalSimulationRunner;
import io.hyperfoil.core.parser.BenchmarkParser;
import io.hyperfoil.http.api.HttpMethod;
import io.hyperfoil.http.config.HttpPluginBuilder;
import io.hyperfoil.http.config.Protocol;
import io.hyperfoil.http.steps.HttpStepCatalog;
import java.io.ByteArrayInputStream;
import java.util.Map;

/**
 * The load of the benchmark for Hyperfoil, by system properties: port, seconds, connections, and either users (closed) or
 * rate (open). With "streams", it speaks HTTP/2 over TLS with as many requests on each connection. With "steps",
 * each pass is a cart, an item and a payment. Says as JSON what it saw.
 */
public class HyperfoilLoad {
    /** Statuses other than 2xx and 3xx count as errors, by the tool's own rule. */
    private static final String STEPS = """
        name: steps
        threads: 1
        http:
          host: http://127.0.0.1:%d
          sharedConnections: %d
          requestTimeout: 200s
        phases:
        - load:
            always:
              users: %d
              duration: %ds
              maxDuration: %ds
              scenario:
              - buy:
                - httpRequest:
                    POST: /carts
                    body: '{"item": 7}'
                    handler:
                      header:
                      - filter:
                          header: x-token
                          processor:
                          - store: token
                      body:
                        json:
                          query: .id
                          toVar: cart
                - httpRequest:
                    POST: /carts/${cart}/items
                    headers:
                      X-Token: ${token}
                    body: '{"item": 7}'
                - httpRequest:
                    POST: /carts/${cart}/pay
                    headers:
                      X-Token: ${token}
                    body: '{"item": 7}'
        """;

    public static void main(String[] arguments) throws Exception {
        run(Boolean.getBoolean("steps") ? steps() : requests());
    }

    private static Benchmark steps() throws Exception {
        long seconds = Long.getLong("seconds");
        var text = STEPS.formatted(Integer.getInteger("port"), Integer.getInteger("connections"), Integer.getInteger("users"),
            seconds, seconds + 110);
        return BenchmarkParser.instance().buildBenchmark(new ByteArrayInputStream(text.getBytes()), BenchmarkData.EMPTY, Map.of());
    }

    private static Benchmark requests() {
        var benchmark = BenchmarkBuilder.builder().name("engine").threads(1);
        int streams = Integer.getInteger("streams", 0);
        var http = benchmark.addPlugin(HttpPluginBuilder::new).http().protocol(streams > 0 ? Protocol.HTTPS : Protocol.HTTP)
            .host("127.0.0.1").port(Integer.getInteger("port")).sharedConnections(Integer.getInteger("connections"))
            .requestTimeout("200s");
        if (streams > 0) http.allowHttp1x(false).allowHttp2(true).maxHttp2Streams(streams);
        long millis = Long.getLong("seconds") * 1_000;
        if (Integer.getInteger("users") != null) {
            var phase = benchmark.addPhase("load").always(Integer.getInteger("users")).duration(millis).maxDuration(millis + 110_000);
            phase.scenario().initialSequence("hello").step(HttpStepCatalog.SC).httpRequest(HttpMethod.GET).path("/hello");
        } else {
            var phase = benchmark.addPhase("load").constantRate(0).usersPerSec(Integer.getInteger("rate")).variance(false)
                .maxSessions(Integer.getInteger("connections")).duration(millis).maxDuration(millis + 110_000);
            phase.scenario().initialSequence("hello").step(HttpStepCatalog.SC).httpRequest(HttpMethod.GET).path("/hello");
        }
        return benchmark.build();
    }

    private static void run(Benchmark benchmark) {
        var total = new StatisticsSnapshot();
        new LocalSimulationRunner(benchmark, (phase, step, metric, part, end) -> total.add(part), null, null).run();
        System.out.printf("{\"answered\": %d, \"failed\": %d, \"p50Nanos\": %d, \"p99Nanos\": %d}%n", total.responseCount,
            total.errors(), total.histogram.getValueAtPercentile(50), total.histogram.getValueAtPercentile(99));
        System.exit(0);
    }
}
