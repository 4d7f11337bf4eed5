import type { ResultRow } from '../result-table.ts';
export async function benchmarkPeers(): Promise<ResultRow[]> {
  return [];
}
