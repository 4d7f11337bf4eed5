import { AUTHORIZATION_HEADERS } from '../../server-processes.ts';
import { days, formatQuote, hashEarlierDays, listQuotes, QUOTE_COUNT, symbols } from './market.ts';

/** The findings of a client about one kind of requests. */
export interface Findings {
  answers: number;
  wrong: string[];
  mixedPages: number;
  shortExports: number;
  slowestMs: number;
  /** The number of requests that failed, by reason. */
  readonly failures: Map<string, number>;
  slowestFailureMs: number;
}

export function createFindings(): Findings {
  return {
    answers: 0,
    wrong: [],
    mixedPages: 0,
    shortExports: 0,
    slowestMs: 0,
    failures: new Map(),
    slowestFailureMs: 0,
  };
}

/** Sends requests and compares every response with what its revision has. */
export interface CheckingClient {
  readonly address: string;
  /** The volume of the newest day at a revision. */
  getVolume(revision: number): Promise<number>;
}

const EXPORT_TIMEOUT_MS = 120_000;
const REQUEST_TIMEOUT_MS = 30_000;
const PAGE_DAYS = 3;
const MIN_PAGE_LIMIT = 100;
const HISTORY_DAYS = 90;

export type CheckName = keyof typeof CHECKS;

/** Runs a check and records its outcome. */
export async function runCheck(
  client: CheckingClient,
  name: CheckName,
  iteration: number,
  findings: Findings,
): Promise<void> {
  const startedMs = performance.now();
  try {
    const problem = await CHECKS[name](client, iteration, findings);
    findings.answers++;
    findings.slowestMs = Math.max(findings.slowestMs, performance.now() - startedMs);
    if (problem !== undefined) findings.wrong.push(`${name} ${iteration}: ${problem}`);
  } catch (cause) {
    const reason = `${name}: ${(cause as Error).message}`;
    findings.failures.set(reason, (findings.failures.get(reason) ?? 0) + 1);
    findings.slowestFailureMs = Math.max(findings.slowestFailureMs, performance.now() - startedMs);
  }
}

type Check = (
  client: CheckingClient,
  iteration: number,
  findings: Findings,
) => Promise<string | undefined>;

const CHECKS = {
  latest: (client, iteration) => checkHistory(client, iteration, 1),
  history: (client, iteration) => checkHistory(client, iteration, HISTORY_DAYS),
  snapshot: async (client, iteration) => {
    const limit = 200 + (iteration % 100);
    const { revision, records } = await fetchPage(client, `/2.0/bnb/quote?limit=${limit}`);
    const quotes = listQuotes(0, await client.getVolume(revision)).slice(0, limit);
    return compare(records, quotes.map(formatQuote));
  },
  pages: checkPages,
  export: checkExport,
} satisfies Record<string, Check>;

export function pickSymbol(iteration: number): string {
  return symbols[(iteration * 7) % symbols.length] ?? '';
}

async function checkHistory(
  client: CheckingClient,
  iteration: number,
  count: number,
): Promise<string | undefined> {
  const symbol = pickSymbol(iteration);
  const dates = count === 1 ? '' : `&from=${days[count - 1]}&to=${days[0]}`;
  const { revision, records } = await fetchPage(client, `/2.0/bnb/quote?symbol=${symbol}${dates}`);
  const volume = await client.getVolume(revision);
  const expected = Array.from({ length: count }, (_, dayIndex) =>
    listQuotes(dayIndex, volume).find((quote) => quote.symbol === symbol),
  );
  return compare(
    records,
    expected.flatMap((quote) => (quote ? [formatQuote(quote)] : [])),
  );
}

async function checkPages(
  client: CheckingClient,
  iteration: number,
  findings: Findings,
): Promise<string | undefined> {
  const limit = MIN_PAGE_LIMIT + (iteration % 100);
  let target: string | undefined =
    `/2.0/bnb/quote?from=${days[PAGE_DAYS - 1]}&to=${days[0]}&limit=${limit}`;
  const all: string[] = [];
  const revisions = new Set<number>();
  while (target !== undefined) {
    const page = await fetchPage(client, target);
    all.push(...page.records);
    revisions.add(page.revision);
    target = page.next;
  }
  const [revision = 0] = revisions;
  if (revisions.size > 1) findings.mixedPages++;
  const volume = await client.getVolume(revision);
  const expected = Array.from({ length: PAGE_DAYS }, (_, day) => listQuotes(day, volume)).flat();
  return compare(all, expected.map(formatQuote));
}

async function checkExport(
  client: CheckingClient,
  _: number,
  findings: Findings,
): Promise<string | undefined> {
  const response = await send(client, '/exports/quotes.ndjson', EXPORT_TIMEOUT_MS);
  const text = await response.text();
  const lines = text.split('\n').length - 1;
  if (lines !== QUOTE_COUNT) findings.shortExports++;
  const quotes = listQuotes(0, await client.getVolume(getRevision(response)));
  const newest = quotes.map((quote) => `${formatQuote(quote)}\n`).join('');
  if (!text.startsWith(newest)) return `${lines} lines; the newest day differs`;
  earlierHash ??= hashEarlierDays();
  const hash = new Bun.CryptoHasher('sha256').update(text.slice(newest.length)).digest('hex');
  return hash === earlierHash ? undefined : `${lines} lines; earlier days differ`;
}

let earlierHash: string | undefined;

interface FetchedPage {
  readonly revision: number;
  readonly records: readonly string[];
  readonly next: string | undefined;
}

async function fetchPage(client: CheckingClient, target: string): Promise<FetchedPage> {
  const response = await send(client, target, REQUEST_TIMEOUT_MS);
  const { data } = (await response.json()) as { data: readonly object[] };
  const link = response.headers.get('Link') ?? '';
  return {
    revision: getRevision(response),
    records: data.map((record) => JSON.stringify(record)),
    next: /<([^>]+)>; rel="next"/.exec(link)?.[1],
  };
}

async function send(client: CheckingClient, target: string, timeoutMs: number): Promise<Response> {
  const response = await fetch(new URL(target, client.address), {
    headers: AUTHORIZATION_HEADERS,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

function getRevision({ headers }: Response): number {
  return Number(headers.get('Tenor-Revision'));
}

function compare(actual: readonly string[], expected: readonly string[]): string | undefined {
  if (actual.length !== expected.length)
    return `${actual.length} records instead of ${expected.length}`;
  const index = actual.findIndex((text, position) => text !== expected[position]);
  return index < 0 ? undefined : `${actual[index]} instead of ${expected[index]}`;
}
