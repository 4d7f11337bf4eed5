import { getShippedCatalogue } from '../src/catalogue/catalogues.ts';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { EventLog } from '../src/event-log.ts';
import { HttpError } from '../src/http/http-error.ts';
import { createDatabase } from '../src/http/pipeline/database.ts';
import { handleRequest } from '../src/http/pipeline/handle-request.ts';
import { RequestMetrics } from '../src/http/pipeline/request-metrics.ts';
import type { RoutedServer } from '../src/http/pipeline/route.ts';
import { createServerParts, type RequestSettings } from '../src/http/pipeline/server.ts';
import { createCursorCodec } from '../src/http/request/cursor-codec.ts';
import { RequestTarget } from '../src/http/request/request-target.ts';
import { computeEtag } from '../src/http/responses/validators.ts';
import { createDataRoutes } from '../src/http/server/routes.ts';
import { type PlannedQuotes, planQuery } from '../src/operations/plan-query.ts';
import { openStore, type QuoteSelection } from '../src/store/open-store.ts';
import { quotesStatement } from '../src/store/sql/record-statements.ts';
import { sqliteDialect } from '../src/store/sqlite/dialect.ts';
import { createTokenRegistry } from '../src/tokens/token-registry.ts';
import { createBestQuery } from './cold/best-queries.ts';
import { buildColdTarget, COLD_KINDS, type ColdKind, type Market } from './cold/requests.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, TOKEN } from './server-processes.ts';
import { createTokenCheck } from './token-check.ts';

const ROUNDS = 12;
const COLD_REQUESTS = 1_500;
const CACHED_REQUESTS = 30_000;
/** How many requests a busy server finds at each turn of its event loop, roughly. */
const REQUESTS_PER_TURN = 32;
const ORIGIN = 'http://127.0.0.1:8080';
const SNAPSHOT = '/2.0/bnb/quote';

interface StageDatabase {
  readonly url: string;
  readonly market: Market;
  readonly engine: 'SQLite' | 'PostgreSQL';
}

/**
 * Where the processor time of a response goes, in process: each stage alone, and the whole, beside what a
 * bare handler needs for the same. The least of several rounds, since other load only adds to it.
 */
export async function benchmarkStages({
  url,
  market,
  engine,
}: StageDatabase): Promise<ResultRow[]> {
  const service = await openService(url);
  const rows: ResultRow[] = [];
  for (const kind of ['history', 'snapshot'] as const)
    rows.push(...(await measureColdStages({ url, market, engine }, kind, service)));
  if (engine === 'SQLite') rows.push(...(await measureCachedStages(service)));
  service.close();
  return rows;
}

type Service = Awaited<ReturnType<typeof openService>>;

/** A server without a port, whose log is written to nowhere. */
async function openService(url: string) {
  const store = await openStore(url, catalogue);
  const reader = store.reader({ isServing: true });
  const tokens = createTokenRegistry(store.tokens(), TOKEN);
  await tokens.reload();
  const getDataRoutes = createDataRoutes();
  const routes = getDataRoutes(getShippedCatalogue(catalogue));
  const metrics = new RequestMetrics();
  const log = new EventLog({ write: () => true }, 'json');
  const options = { catalogue, metrics, emit: log.emit };
  const database = await createDatabase(reader, { ...options, reportAllocatedBytes() {} });
  const createContext = (logRequests: RequestSettings['logRequests']): RoutedServer => {
    const rateLimit = { count: 999_999_999, windowMs: 1_000 };
    const limits = { rateLimit, trustedProxies: null, logSlowMs: 60_000, logRequests };
    const shared = { tokens, metrics, emit: log.emit };
    const settings = { ...limits, logAddresses: 'errors' } as const;
    return { database, getDataRoutes, ...createServerParts(settings, shared) };
  };
  const contexts = { all: createContext('all'), off: createContext('off') };
  const route = routes.find(SNAPSHOT);
  return {
    reader,
    respond: (request: Request, logRequests: keyof typeof contexts = 'all') =>
      handleRequest(contexts[logRequests], request, route),
    close: () => reader.close(),
  };
}

async function measureColdStages(
  { url, market, engine }: StageDatabase,
  kind: ColdKind,
  { reader, respond }: Service,
): Promise<ResultRow[]> {
  let next = 0;
  const nextTarget = () => buildColdTarget(market, kind, next++);
  const cursors = createCursorCodec(new Uint8Array(32));
  const plan = (target: string) => {
    const request = { target: new RequestTarget(target), cursors, acceptedFormat: 'json' } as const;
    const planned = planQuery(quotes, request);
    if (planned instanceof HttpError) throw planned;
    return { ...(planned.selection as PlannedQuotes), dataset: quotes };
  };
  const best = createBestQuery(url, kind);
  const queryBest = ({ security, dateRange: [from, to] = ['', ''], limit }: QuoteSelection) =>
    security === undefined ? best(from, String(limit)) : best(security, from, to);
  const hasToken = createTokenCheck(TOKEN);
  const measure = (prepare: () => unknown, run: (input: never) => unknown) =>
    measureMicros(COLD_REQUESTS, prepare, run as (input: unknown) => unknown);
  const selection = () => plan(nextTarget());
  const text = (await reader.read(plan(nextTarget()))).records;
  const response = await respond(createRequest(nextTarget()));
  const headers = new Headers(response.headers);
  const stages = {
    'parameters to a selection': await measure(nextTarget, plan),
    'selection to a statement': await measure(selection, (each: QuoteSelection) =>
      quotesStatement(each, { dialect: sqliteDialect }),
    ),
    'the statement': await measure(selection, (each: QuoteSelection) => reader.read(each)),
    'the tag': await measure(
      () => text,
      (each: string) => computeEtag(each),
    ),
    'the response with its headers': await measure(
      () => text,
      (each: string) => new Response(`{"status":"ok","data":[${each}]}`, { headers }),
    ),
  };
  const whole = await measure(() => createRequest(nextTarget()), respond);
  const bareStatement = await measure(selection, queryBest);
  const bareWhole = await measure(
    () => [createRequest(SNAPSHOT), selection()] as const,
    async ([request, each]: readonly [Request, QuoteSelection]) => {
      if (!hasToken(request)) throw new Error('rejected');
      const records = queryBest(each);
      const body = typeof records === 'string' ? records : await records;
      return new Response(`{"status":"ok","data":[${body}]}`, { headers });
    },
  );
  const bare: Partial<Record<keyof typeof stages, number>> = {
    'the statement': bareStatement,
    'the response with its headers': stages['the response with its headers'],
  };
  const label = `${COLD_KINDS[kind]}, uncached, on ${engine}`;
  const rest = whole - Object.values(stages).reduce((sum, micros) => sum + micros, 0);
  return [
    ...Object.entries(stages).map(([stage, micros]) =>
      formatRow(`${label}: ${stage}`, micros, bare[stage as keyof typeof stages]),
    ),
    formatRow(`${label}: the rest`, rest, undefined),
    formatRow(`${label}: the whole`, whole, bareWhole),
  ];
}

async function measureCachedStages({ respond }: Service): Promise<ResultRow[]> {
  const first = await respond(createRequest(SNAPSHOT));
  await respond(createRequest(SNAPSHOT));
  const tag = first.headers.get('ETag') ?? '';
  const body = new Blob([await first.text()]);
  const headers = new Headers(first.headers);
  const hasToken = createTokenCheck(TOKEN);
  const measure = (request: () => Request, run: (input: Request) => unknown) =>
    measureMicros(CACHED_REQUESTS, request, run);
  const rows: ResultRow[] = [];
  const kinds = {
    'the latest snapshot, cached': () => createRequest(SNAPSHOT),
    'the latest snapshot, 304': () => createRequest(SNAPSHOT, { 'If-None-Match': tag }),
  };
  for (const [label, request] of Object.entries(kinds)) {
    const init = label.endsWith('304') ? { status: 304, headers } : { headers };
    const content = label.endsWith('304') ? null : body;
    const whole = await measure(request, respond);
    const unlogged = await measure(request, (each) => respond(each, 'off'));
    const bare = await measure(request, (each) => {
      if (!hasToken(each)) throw new Error('rejected');
      return new Response(content, init);
    });
    const created = await measure(request, () => new Response(content, init));
    const rest = unlogged - created;
    rows.push(
      formatRow(`${label}: the response with its headers`, created, created),
      formatRow(`${label}: the log line, without the address`, whole - unlogged, undefined),
      formatRow(`${label}: the rest: token, rate, key, conditions, counts`, rest, bare - created),
      formatRow(`${label}: the whole`, whole, bare),
    );
  }
  return rows;
}

function createRequest(target: string, headers: Record<string, string> = {}): Request {
  const sent = { ...AUTHORIZATION_HEADERS, host: new URL(ORIGIN).host, ...headers };
  return new Request(ORIGIN + target, { headers: sent });
}

/** The least time of a run, in microseconds; what each run needs is prepared before. */
async function measureMicros<Input>(
  count: number,
  prepare: () => Input,
  run: (input: Input) => unknown,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const inputs = Array.from({ length: count }, prepare);
    const startedMs = performance.now();
    for (const [index, input] of inputs.entries()) {
      const result = run(input);
      if (result instanceof Promise) await result;
      if (index % REQUESTS_PER_TURN === 0) await new Promise(setImmediate);
    }
    least = Math.min(least, ((performance.now() - startedMs) * 1_000) / count);
  }
  return least;
}

function formatRow(label: string, micros: number, bareMicros: number | undefined): ResultRow {
  return {
    label,
    measured: `${micros.toFixed(1)} µs`,
    baseline: bareMicros === undefined ? 'nothing' : `${bareMicros.toFixed(1)} µs, bare handler`,
    ratio: bareMicros === undefined ? undefined : bareMicros / micros,
    aim: '',
  };
}
