// Keeps eight heavy requests of a token under way until it is ended: ADDRESS TOKEN KIND
import { HEAVY_REQUESTS, type HeavyKind } from './heavy-requests.ts';

const [address, token, kind] = process.argv.slice(2) as [string, string, HeavyKind];
const CONCURRENT_REQUESTS = 8;
/** The wait before a request that was refused is sent again. */
const RETRY_DELAY_MS = 200;

let requestCount = 0;
for (let client = 0; client < CONCURRENT_REQUESTS; client++) sendRequests();

async function sendRequests(): Promise<never> {
  for (;;) {
    const { target, headers } = HEAVY_REQUESTS[kind](requestCount++);
    const response = await fetch(`${address}${target}`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
      decompress: false,
    });
    await response.arrayBuffer();
    if (!response.ok) await Bun.sleep(RETRY_DELAY_MS);
  }
}
