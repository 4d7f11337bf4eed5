import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ENGINES } from '../support/store.ts';
import { runReleaseDesk } from './release-desk.ts';

setDefaultTimeout(300_000);

describe.each([...ENGINES])('$name', ({ createStore, scaleRuns }) => {
  const count = scaleRuns(10);
  test(`whoever is ended or interrupted at the release desk, nothing is too early, twice, in part or lost (${count} seeds)`, async () => {
    const total = { ended: 0, between: 0, published: 0 };
    for (let seed = 0; seed < count; seed++) {
      const store = await createStore();
      const { counts } = await runReleaseDesk(store, seed);
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
      await store.remove();
    }
    // Seeds that disturb nothing would show nothing.
    for (const each of Object.values(total)) expect(each).toBeGreaterThanOrEqual(count);
  });
});
