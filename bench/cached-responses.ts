import { compareRequestRates } from './compare-rates.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startBaselineServer, startTenor } from './server-processes.ts';

/** Cached responses, compared with a bare handler that returns the same bytes. */
export async function benchmarkCachedResponses(
  databaseUrl: string,
  targets: Record<string, string>,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const [name, target] of Object.entries(targets))
    rows.push(await compareWithBaseline(databaseUrl, name, target));
  return rows;
}

async function compareWithBaseline(
  databaseUrl: string,
  name: string,
  target: string,
): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  const response = await fetch(`${server.address}${target}`, {
    headers: { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' },
  });
  const bytes = Number(response.headers.get('content-length'));
  const baselineServer = await startBaselineServer(response);
  const requestLoad = { targets: [target], headers: AUTHORIZATION_HEADERS };
  const { first, second, ratio } = await compareRequestRates(
    { ...requestLoad, address: server.address },
    { ...requestLoad, address: baselineServer.address },
  );
  await Promise.all([server.stop(), baselineServer.stop()]);
  return {
    label: `${name} (${(bytes / 1_000).toFixed(1)} KB), cached`,
    measured: `${first} req/s`,
    baseline: `${second} req/s, bare handler`,
    ratio,
    aim: '≥ 0.85',
  };
}
