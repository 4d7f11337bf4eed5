import { getPrice, getSymbol } from './priced-market.ts';
import { TOKEN } from './test-server.ts';

/** An answer to a client, and how long it took. */
export interface PolledResponse {
  /** Whether it may be known to the server already, or is asked for the first time. */
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
  /** What was wrong with the answers: a wrong price, a step back in time, a late refusal. */
  readonly problems: readonly string[];
  /** Asks once more, at once. */
  request(kind: PolledResponse['kind']): Promise<PolledResponse>;
  stop(): Promise<void>;
}

/** What the service promises is a second; a busy machine gets some more. */
const MAX_503_MS = 1_500;
const MAX_RESPONSE_MS = 2_500;
const PAUSE_MS = 15;
let newTargets = 0;

/** A client of a priced market that asks again and again until it is stopped, and minds answers. */
export function startPollingClient(address: string, lanes = 4): PollingClient {
  const answers: PolledResponse[] = [];
  const complaints: string[] = [];
  let newest = 0;
  let isStopped = false;

  const ask = async (kind: PolledResponse['kind']): Promise<PolledResponse> => {
    const sentMs = performance.now();
    const before = newest;
    const response = await fetch(`${address}${buildTarget(kind)}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      keepalive: false,
    });
    const text = await response.text();
    const { status, headers } = response;
    const ms = performance.now() - sentMs;
    const revision = Number(headers.get('tenor-revision'));
    const isMarked = headers.has('tenor-unconfirmed-since');
    const answered: PolledResponse = { kind, status, revision, isMarked, sentMs, ms };
    answers.push(answered);
    const wrong = findProblem(answered, text, before, headers);
    if (wrong) complaints.push(`${wrong}: ${JSON.stringify(answered)} ${text.slice(0, 200)}`);
    newest = Math.max(newest, revision);
    return answered;
  };
  const lane = async (kind: PolledResponse['kind']) => {
    while (!isStopped) {
      await ask(kind).catch((cause) => complaints.push(`no answer at all: ${cause}`));
      await Bun.sleep(PAUSE_MS);
    }
  };
  const walking = Array.from({ length: lanes }, (_, index) =>
    lane(index % 2 === 0 ? 'known' : 'new'),
  );
  return {
    responses: answers,
    problems: complaints,
    request: ask,
    async stop() {
      isStopped = true;
      await Promise.all(walking);
    },
  };
}

/** A limit that was never asked for makes a request new, and its answer is the same. */
function buildTarget(kind: PolledResponse['kind']): string {
  if (kind === 'known') return `/2.0/bnb/quotes?symbol=${getSymbol(0)}`;
  const at = newTargets++;
  return `/2.0/bnb/quotes?symbol=${getSymbol(at)}&limit=${1 + (Math.floor(at / 20) % 10_000)}`;
}

function findProblem(
  { status, revision, ms }: PolledResponse,
  text: string,
  before: number,
  headers: Headers,
): string | undefined {
  if (status === 503) {
    if (!headers.has('retry-after')) return 'a refusal does not say when to come again';
    return ms > MAX_503_MS ? 'refused late' : undefined;
  }
  if (status !== 200) return 'neither answered nor put off';
  if (revision < before) return `back in time, from ${before}`;
  const { data } = JSON.parse(text) as { data: { lastPrice: number }[] };
  if (data.length !== 1 || data[0]?.lastPrice !== getPrice(revision)) return 'a wrong answer';
  return ms > MAX_RESPONSE_MS ? 'answered late' : undefined;
}
