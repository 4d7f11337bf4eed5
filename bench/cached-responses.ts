import { compareRequestRates } from './compare-rates.ts';
import type { RequestLoad } from './load-generator.ts';
import { formatRateRow, type ResultRow } from './result-table.ts';
import {
  AUTHORIZATION_HEADERS,
  type ServerProcess,
  startBaselineServer,
  startTenor,
} from './server-processes.ts';

/** A target whose response is cached, in a database. */
export interface CachedTarget {
  readonly name: string;
  readonly databaseUrl: string;
  readonly target: string;
}

/** The aims with every request in the log, and with none. */
export type LogAims = Readonly<Record<LogSetting, string>>;

type LogSetting = keyof typeof LOG_SETTINGS;
const LOG_SETTINGS = { all: 'with the log', off: 'LOG_REQUESTS=off' } as const;
const IDENTITY_HEADERS = { 'Accept-Encoding': 'identity' };

/** Cached responses, compared with a bare handler that returns the same bytes. */
export async function benchmarkCachedResponses(
  target: CachedTarget,
  aims: LogAims,
): Promise<ResultRow[]> {
  return compareLogSettings(target, aims, async () => ({}));
}

/** The same with 304 responses. */
export async function benchmarkNotModified(
  target: CachedTarget,
  aims: LogAims,
): Promise<ResultRow[]> {
  return compareLogSettings(target, aims, async ({ address }) => {
    const response = await fetch(`${address}${target.target}`, {
      headers: { ...AUTHORIZATION_HEADERS, ...IDENTITY_HEADERS },
    });
    return { 'If-None-Match': response.headers.get('etag') ?? '' };
  });
}

/** Longer than a server waits after the first request before it checks what is stored. */
const CHECK_DELAY_MS = 6_000;

/** Cached responses while a server checks all that is stored, compared with one that does not. */
export async function benchmarkCheckedStore({ name, databaseUrl, target }: CachedTarget) {
  const intervals = ['1d', 'off'];
  const servers = await Promise.all(
    intervals.map((interval) => startTenor(databaseUrl, { SCRUB_INTERVAL: interval })),
  );
  const [checking = '', idle = ''] = servers.map(({ address }) => address);
  const load = { targets: [target], headers: AUTHORIZATION_HEADERS };
  await fetch(checking + target, { headers: AUTHORIZATION_HEADERS });
  await Bun.sleep(CHECK_DELAY_MS);
  const comparison = await compareRequestRates(
    { ...load, address: checking },
    { ...load, address: idle },
  ).finally(() => Promise.all(servers.map((server) => server.stop())));
  return formatRateRow(`${name}, cached, during a check`, comparison, 'without a check', '');
}

async function compareLogSettings(
  { name, databaseUrl, target }: CachedTarget,
  aims: LogAims,
  getHeaders: (server: ServerProcess) => Promise<Record<string, string>>,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const setting of Object.keys(LOG_SETTINGS) as LogSetting[]) {
    const server = await startTenor(databaseUrl, { LOG_REQUESTS: setting });
    const headers = { ...AUTHORIZATION_HEADERS, ...(await getHeaders(server)) };
    const response = await fetch(`${server.address}${target}`, {
      headers: { ...headers, ...IDENTITY_HEADERS },
    });
    const bytes = Number(response.headers.get('content-length'));
    const size = response.status === 304 ? '304' : `${(bytes / 1_000).toFixed(1)} KB`;
    const label = `${name} (${size}), cached, ${LOG_SETTINGS[setting]}`;
    const compare = async (baseline: ServerProcess) => {
      const load = { targets: [target], headers };
      const [ours, other] = [server, baseline].map(({ address }) => ({ ...load, address }));
      return compareRequestRates(ours as RequestLoad, other as RequestLoad).finally(baseline.stop);
    };
    const bare = await compare(await startBaselineServer(response));
    rows.push(formatRateRow(label, bare, 'bare handler', aims[setting]));
    if (setting === 'all') {
      const dutiful = await compare(await startBaselineServer(response, { DUTIES: 'on' }));
      rows.push(formatRateRow(label, dutiful, 'bare handler with the same duties', ''));
    }
    await server.stop();
  }
  return rows;
}
