import { priceAt, symbolOf } from './priced-market.ts';
import { TOKEN } from './test-server.ts';

/** An answer to a client, and how long it took. */
export interface Answered {
  /** Whether it may be known to the server already, or is asked for the first time. */
  readonly kind: 'known' | 'new';
  readonly status: number;
  readonly revision: number;
  /** Whether it says that the database has not confirmed it. */
  readonly isMarked: boolean;
  readonly sentMs: number;
  readonly ms: number;
}

export interface SteadyClient {
  readonly answers: readonly Answered[];
  /** What was wrong with the answers: a wrong price, a step back in time, a late refusal. */
  readonly complaints: readonly string[];
  /** Asks once more, at once. */
  ask(kind: Answered['kind']): Promise<Answered>;
  stop(): Promise<void>;
}

/** What the service promises is a second; a busy machine gets some more. */
const REFUSED_WITHIN_MS = 1_500;
const ANSWERED_WITHIN_MS = 2_500;
const PAUSE_MS = 15;
let newTargets = 0;

/** A client of a priced market that asks again and again until it is stopped, and minds answers. */
export function steadyClient(address: string, lanes = 4): SteadyClient {
  const answers: Answered[] = [];
  const complaints: string[] = [];
  let newest = 0;
  let isStopped = false;

  const ask = async (kind: Answered['kind']): Promise<Answered> => {
    const sentMs = performance.now();
    const before = newest;
    const response = await fetch(`${address}${targetOf(kind)}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      keepalive: false,
    });
    const text = await response.text();
    const { status, headers } = response;
    const ms = performance.now() - sentMs;
    const revision = Number(headers.get('tenor-revision'));
    const isMarked = headers.has('tenor-unconfirmed-since');
    const answered: Answered = { kind, status, revision, isMarked, sentMs, ms };
    answers.push(answered);
    const wrong = complaintOf(answered, text, before, headers);
    if (wrong) complaints.push(`${wrong}: ${JSON.stringify(answered)} ${text.slice(0, 200)}`);
    newest = Math.max(newest, revision);
    return answered;
  };
  const lane = async (kind: Answered['kind']) => {
    while (!isStopped) {
      await ask(kind).catch((cause) => complaints.push(`no answer at all: ${cause}`));
      await Bun.sleep(PAUSE_MS);
    }
  };
  const walking = Array.from({ length: lanes }, (_, index) =>
    lane(index % 2 === 0 ? 'known' : 'new'),
  );
  return {
    answers,
    complaints,
    ask,
    async stop() {
      isStopped = true;
      await Promise.all(walking);
    },
  };
}

/** A limit that was never asked for makes a request new, and its answer is the same. */
function targetOf(kind: Answered['kind']): string {
  if (kind === 'known') return `/2.0/bnb/quotes?symbol=${symbolOf(0)}`;
  const at = newTargets++;
  return `/2.0/bnb/quotes?symbol=${symbolOf(at)}&limit=${1 + (Math.floor(at / 20) % 10_000)}`;
}

function complaintOf(
  { status, revision, ms }: Answered,
  text: string,
  before: number,
  headers: Headers,
): string | undefined {
  if (status === 503) {
    if (!headers.has('retry-after')) return 'a refusal does not say when to come again';
    return ms > REFUSED_WITHIN_MS ? 'refused late' : undefined;
  }
  if (status !== 200) return 'neither answered nor put off';
  if (revision < before) return `back in time, from ${before}`;
  const { data } = JSON.parse(text) as { data: { lastPrice: number }[] };
  if (data.length !== 1 || data[0]?.lastPrice !== priceAt(revision)) return 'a wrong answer';
  return ms > ANSWERED_WITHIN_MS ? 'answered late' : undefined;
}
