import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store, StoreReader } from '../../src/store/open-store.ts';
import { compareRates, compareRequestRates } from '../compare-rates.ts';
import { days, symbols } from '../million-quotes.ts';
import type { ResultRow } from '../result-table.ts';
import { AUTHORIZATION_HEADERS, startPostgresBaseline, startTenor } from '../server-processes.ts';
import { type BaselineQueries, createBaselineQueries } from './baseline-queries.ts';

const AIM = '≥ 0.80';
const READS = 2_000;
const CONCURRENCY = 32;
/** More than are sent in a second, and more than a server caches. */
const TARGETS = 8_000;

/** Uncached responses and reads, compared with the same queries sent directly. */
export async function benchmarkPostgresUncachedReads(
  store: Store & { readonly url: string },
): Promise<ResultRow[]> {
  const queries = createBaselineQueries(store.url);
  const reader = store.reader();
  const rows: ResultRow[] = [];
  for (const kind of REQUEST_KINDS) rows.push(await compareRequests(store.url, kind));
  for (const kind of REQUEST_KINDS) rows.push(await compareReads(reader, queries, kind));
  reader.close();
  await queries.close();
  return rows;
}

/** A kind of request, different in each iteration. */
interface RequestKind {
  readonly label: string;
  target(iteration: number): string;
  selection(iteration: number): QuoteSelection;
  queryDirectly(queries: BaselineQueries, iteration: number): Promise<string>;
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;
const pickSymbol = (iteration: number) => symbols[(iteration * 7_919) % symbols.length] ?? '';
const pickEnd = (iteration: number) =>
  days[100 + ((iteration * 1_009) % (days.length - 100))] ?? '';
const pickDay = (iteration: number) => days[(iteration * 1_009) % days.length] ?? '';

const REQUEST_KINDS: readonly RequestKind[] = [
  {
    label: '100-record history of one security',
    target: (iteration) => `symbol=${pickSymbol(iteration)}&to=${pickEnd(iteration)}`,
    selection: (iteration) => ({
      ...BASE,
      security: pickSymbol(iteration),
      dateRange: ['0001-01-01', pickEnd(iteration)],
    }),
    queryDirectly: (queries, iteration) =>
      queries.history(pickSymbol(iteration), pickEnd(iteration)),
  },
  {
    label: '100-record snapshot of one day',
    target: (iteration) => `date=${pickDay(iteration)}`,
    selection: (iteration) => ({ ...BASE, dateRange: [pickDay(iteration), pickDay(iteration)] }),
    queryDirectly: (queries, iteration) => queries.snapshot(pickDay(iteration)),
  },
];

async function compareRequests(url: string, kind: RequestKind): Promise<ResultRow> {
  const buildTarget = (iteration: number) => `/2.0/bnb/quote?${kind.target(iteration)}`;
  const server = await startTenor(url);
  const sendRequest = (address: string) =>
    fetch(address + buildTarget(1), {
      headers: { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' },
    });
  const response = await sendRequest(server.address);
  const baselineServer = await startPostgresBaseline(url, response);
  if ((await response.text()) !== (await (await sendRequest(baselineServer.address)).text())) {
    throw new Error(`${kind.label}: the two differ`);
  }
  const createLoad = (address: string) => (round: number) => ({
    address,
    targets: Array.from({ length: TARGETS }, (_, index) => buildTarget(round * TARGETS + index)),
    headers: AUTHORIZATION_HEADERS,
  });
  const { first, second, ratio } = await compareRequestRates(
    createLoad(server.address),
    createLoad(baselineServer.address),
  );
  await Promise.all([server.stop(), baselineServer.stop()]);
  return {
    label: `${kind.label}, uncached, on PostgreSQL, over HTTP`,
    measured: `${first} req/s`,
    baseline: `${second} req/s, the same query sent directly`,
    ratio,
    aim: AIM,
  };
}

async function compareReads(
  reader: StoreReader,
  queries: BaselineQueries,
  kind: RequestKind,
): Promise<ResultRow> {
  const rate = async (round: number, read: (iteration: number) => Promise<unknown>) => {
    let next = round * READS;
    const end = next + READS;
    const started = performance.now();
    const client = async () => {
      while (next < end) await read(next++);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
    return (READS * 1_000) / (performance.now() - started);
  };
  const { first, second, ratio } = await compareRates(
    (round) => rate(round, (iteration) => reader.read(kind.selection(iteration))),
    (round) => rate(round, (iteration) => kind.queryDirectly(queries, iteration)),
  );
  return {
    label: `${kind.label}, uncached, on PostgreSQL, by the reader`,
    measured: `${first} reads/s`,
    baseline: `${second} reads/s, the same query sent directly`,
    ratio,
    aim: AIM,
  };
}
