// The load of the benchmark for k6, by environment: URL, SECONDS, CONNECTIONS, OUT, and either USERS (closed) or RATE (open).
import http from 'k6/http';

const seconds = Number(__ENV.SECONDS);
const most = Number(__ENV.CONNECTIONS);
const load = __ENV.USERS
  ? { executor: 'constant-vus', vus: Number(__ENV.USERS), duration: `${seconds}s` }
  : {
      executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration: `${seconds}s`,
      preAllocatedVUs: most, maxVUs: most,
    };

export const options = {
  scenarios: { load: { ...load, gracefulStop: '110s' } },
  discardResponseBodies: true,
  summaryTrendStats: ['p(50)', 'p(99)'],
};

export default function () {
  http.get(__ENV.URL, { timeout: '200s' });
}

export function handleSummary(data) {
  return { [__ENV.OUT]: JSON.stringify(data.metrics) };
}
