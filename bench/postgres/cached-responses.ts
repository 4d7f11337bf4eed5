import { compareRequestRates } from '../compare-rates.ts';
import { formatRateRow, type ResultRow } from '../result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from '../server-processes.ts';

/** Cached responses on PostgreSQL, compared with SQLite. */
export async function benchmarkPostgresCachedResponses(
  postgresUrl: string,
  sqliteUrl: string,
  targets: Readonly<Record<string, string>>,
): Promise<ResultRow[]> {
  const postgres = await startTenor(postgresUrl);
  const sqlite = await startTenor(sqliteUrl);
  const rows: ResultRow[] = [];
  for (const [name, target] of Object.entries(targets)) {
    if (
      (await fetchBody(postgres.address + target)) !== (await fetchBody(sqlite.address + target))
    ) {
      throw new Error(`${name}: the two differ`);
    }
    const requestLoad = { targets: [target], headers: AUTHORIZATION_HEADERS };
    const comparison = await compareRequestRates(
      { ...requestLoad, address: postgres.address },
      { ...requestLoad, address: sqlite.address },
    );
    rows.push(formatRateRow(`${name}, cached, on PostgreSQL`, comparison, 'on SQLite', '≥ 0.95'));
  }
  await Promise.all([postgres.stop(), sqlite.stop()]);
  return rows;
}

async function fetchBody(url: string): Promise<string> {
  const response = await fetch(url, { headers: AUTHORIZATION_HEADERS });
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return response.text();
}
