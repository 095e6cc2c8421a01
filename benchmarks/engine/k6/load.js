// The load of the benchmark for k6, by environment: URL, SECONDS, CONNECTIONS, OUT, and either USERS (closed) or RATE (open).
// With STEPS, each iteration is a cart, an item and a payment.
import { check } from 'k6';
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
  discardResponseBodies: !__ENV.STEPS,
  summaryTrendStats: ['p(50)', 'p(99)'],
};

const shop = __ENV.URL.slice(0, __ENV.URL.lastIndexOf('/'));
const body = '{"item": 7}';

function buy() {
  const cart = http.post(`${shop}/carts`, body, { tags: { name: 'carts' } });
  const id = cart.json('id');
  const params = { headers: { 'X-Token': cart.headers['X-Token'] } };
  check(cart, { created: (answer) => answer.status === 201 });
  http.post(`${shop}/carts/${id}/items`, body, { ...params, tags: { name: 'items' } });
  const paid = http.post(`${shop}/carts/${id}/pay`, body, { ...params, tags: { name: 'pay' } });
  check(paid, { paid: (answer) => answer.json('state') === 'PAID' });
}

export default function () {
  if (__ENV.STEPS) {
    buy();
    return;
  }
  http.get(__ENV.URL, { timeout: '200s' });
}

export function handleSummary(data) {
  return { [__ENV.OUT]: JSON.stringify(data.metrics) };
}
