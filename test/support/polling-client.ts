import { getPrice, getSymbol } from './priced-market.ts';
import { TOKEN } from './test-server.ts';

/** A response, and how long it took, without the time in which this process had no core. */
export interface PolledResponse {
  /** Whether the server may have it cached, or the request is new. */
  readonly kind: 'known' | 'new';
  readonly status: number;
  readonly revision: number;
  /** Whether it says that the database has not confirmed it. */
  readonly isMarked: boolean;
  readonly sentMs: number;
  readonly ms: number;
}

export interface PollingClient {
  readonly responses: readonly PolledResponse[];
  /** A wrong price, an older revision than before, or a late response. */
  readonly problems: readonly string[];
  /** Sends one more request at once. */
  request(kind: PolledResponse['kind']): Promise<PolledResponse>;
  stop(): Promise<void>;
}

/** The service promises a second. */
const MAX_503_MS = 1_500;
const MAX_RESPONSE_MS = 2_500;
const PAUSE_MS = 15;
const TICK_MS = 25;
let newTargets = 0;

/** A client that polls a priced market until it is stopped, and checks the responses. */
export function startPollingClient(address: string, lanes = 4): PollingClient {
  const responses: PolledResponse[] = [];
  const problems: string[] = [];
  let newest = 0;
  let isStopped = false;
  // A clock that stands still while this process does: on a busy machine all responses are late.
  let clockMs = 0;
  const clock = setInterval(() => {
    clockMs += TICK_MS;
  }, TICK_MS).unref();

  const ask = async (kind: PolledResponse['kind']): Promise<PolledResponse> => {
    const sentMs = performance.now();
    const sentClockMs = clockMs;
    const before = newest;
    const response = await fetch(`${address}${buildTarget(kind)}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      keepalive: false,
    });
    const text = await response.text();
    const { status, headers } = response;
    const ms = clockMs - sentClockMs;
    const revision = Number(headers.get('tenor-revision'));
    const isMarked = headers.has('tenor-unconfirmed-since');
    const polled: PolledResponse = { kind, status, revision, isMarked, sentMs, ms };
    responses.push(polled);
    const problem = findProblem(polled, text, before, headers);
    if (problem) problems.push(`${problem}: ${JSON.stringify(polled)} ${text.slice(0, 200)}`);
    newest = Math.max(newest, revision);
    return polled;
  };
  const lane = async (kind: PolledResponse['kind']) => {
    while (!isStopped) {
      await ask(kind).catch((cause) => problems.push(`no response: ${cause}`));
      await Bun.sleep(PAUSE_MS);
    }
  };
  const polling = Array.from({ length: lanes }, (_, index) =>
    lane(index % 2 === 0 ? 'known' : 'new'),
  );
  return {
    responses,
    problems,
    request: ask,
    async stop() {
      isStopped = true;
      await Promise.all(polling);
      clearInterval(clock);
    },
  };
}

/** A limit that was not used before makes a request new, with the same response. */
function buildTarget(kind: PolledResponse['kind']): string {
  if (kind === 'known') return `/2.0/bnb/quotes?symbol=${getSymbol(0)}`;
  const index = newTargets++;
  return `/2.0/bnb/quotes?symbol=${getSymbol(index)}&limit=${1 + (Math.floor(index / 20) % 10_000)}`;
}

function findProblem(
  { status, revision, ms }: PolledResponse,
  text: string,
  before: number,
  headers: Headers,
): string | undefined {
  if (status === 503) {
    if (!headers.has('retry-after')) return 'a 503 without Retry-After';
    return ms > MAX_503_MS ? '503 too late' : undefined;
  }
  if (status !== 200) return 'neither 200 nor 503';
  if (revision < before) return `older than revision ${before}`;
  const { data } = JSON.parse(text) as { data: { lastPrice: number }[] };
  if (data.length !== 1 || data[0]?.lastPrice !== getPrice(revision)) return 'a wrong price';
  return ms > MAX_RESPONSE_MS ? '200 too late' : undefined;
}
