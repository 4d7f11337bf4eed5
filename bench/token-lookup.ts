import { createTokenRegistry } from '../src/tokens/token-registry.ts';
import { median, type Row } from './result-table.ts';
import { TOKEN } from './server-processes.ts';

const WRONG = 10_000;
const LOOKUPS = 50_000;
const ROUNDS = 9;

/** Whether many wrong tokens make a right one slower. */
export async function wrongTokens(): Promise<Row> {
  const nothing = async () => {};
  const store = {
    all: async () => [],
    add: nothing,
    setEnd: nothing,
    recordLastUsed: nothing,
    close() {},
  };
  const before = createTokenRegistry(store, TOKEN);
  const after = createTokenRegistry(store, TOKEN);
  await Promise.all([before.reload(), after.reload()]);
  for (let wrong = 0; wrong < WRONG; wrong++) after.authenticate(`wrong-${wrong}`);
  const rates: { before: number; after: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.push({ before: lookups(before), after: lookups(after) });
  }
  return {
    what: `a right token, after ${WRONG} wrong ones`,
    measured: `${Math.round(median(rates.map(({ after }) => after)))} look-ups/ms`,
    against: `${Math.round(median(rates.map(({ before }) => before)))} look-ups/ms, before them`,
    ratio: median(rates.map(({ before, after }) => after / before)),
    aim: 'about 1',
  };
}

function lookups({ authenticate }: ReturnType<typeof createTokenRegistry>): number {
  const started = performance.now();
  for (let iteration = 0; iteration < LOOKUPS; iteration++)
    if (!authenticate(TOKEN)) throw new Error('refused');
  return LOOKUPS / (performance.now() - started);
}
