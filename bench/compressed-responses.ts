import type { CachedTarget } from './cached-responses.ts';
import { compareRequestRates } from './compare-rates.ts';
import { formatRateRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from './server-processes.ts';

/** Cached responses that are compressed, compared with uncompressed ones. */
export async function benchmarkCompressedResponses({
  name,
  databaseUrl,
  target,
}: CachedTarget): Promise<ResultRow[]> {
  const server = await startTenor(databaseUrl);
  const { address } = server;
  const identity = { address, targets: [target], headers: AUTHORIZATION_HEADERS };
  const rows: ResultRow[] = [];
  for (const encoding of ['zstd', 'br', 'gzip']) {
    const headers = { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': encoding };
    await fetch(`${address}${target}`, { headers });
    const comparison = await compareRequestRates({ ...identity, headers }, identity);
    const label = `${name} in ${encoding}, cached`;
    rows.push(formatRateRow(label, comparison, 'uncompressed', '≥ 0.8'));
  }
  await server.stop();
  return rows;
}
