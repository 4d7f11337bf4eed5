import { createTokenRegistry } from '../src/tokens/token-registry.ts';
import type { ResultRow } from './result-table.ts';
import { TOKEN } from './server-processes.ts';
import { median } from './statistics.ts';

const INVALID_TOKENS = 10_000;
const LOOKUPS = 50_000;
const ROUNDS = 9;

/** Whether many invalid tokens slow down a valid one. */
export async function benchmarkTokenLookup(): Promise<ResultRow> {
  const noop = async () => {};
  const store = {
    all: async () => [],
    findByDigest: async () => [],
    add: noop,
    update: noop,
    recordLastUsed: noop,
    close() {},
  };
  const before = createTokenRegistry(store, TOKEN);
  const after = createTokenRegistry(store, TOKEN);
  await Promise.all([before.reload(), after.reload()]);
  for (let index = 0; index < INVALID_TOKENS; index++) after.authenticate(`wrong-${index}`);
  const rates: { before: number; after: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.push({ before: measureLookups(before), after: measureLookups(after) });
  }
  return {
    label: `a valid token, after ${INVALID_TOKENS} invalid ones`,
    measured: `${Math.round(median(rates.map(({ after }) => after)))} lookups/ms`,
    baseline: `${Math.round(median(rates.map(({ before }) => before)))} lookups/ms, before them`,
    ratio: median(rates.map(({ before, after }) => after / before)),
    aim: 'about 1',
  };
}

function measureLookups({ authenticate }: ReturnType<typeof createTokenRegistry>): number {
  const started = performance.now();
  for (let iteration = 0; iteration < LOOKUPS; iteration++)
    if (!authenticate(TOKEN)) throw new Error('rejected');
  return LOOKUPS / (performance.now() - started);
}
