import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ivrBankingAnnualValue as ivr,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { packLoad } from '../../src/publish/desk/candidate-files.ts';
import { ReleaseDesk } from '../../src/publish/desk/release-desk.ts';
import type { CandidateStore, Publisher } from '../../src/store/open-store.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { createTempFolder, ENGINES, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);

/** Databases are many, and connections of a server are not: those of a step end with it. */
const opened: { close(): unknown }[] = [];
function closing<T extends { close(): unknown }>(resource: T): T {
  opened.push(resource);
  return resource;
}

class EndedError extends Error {}

/** Ends everything at a step: before a call of the store of candidates, before a commit, or after it. */
class Steps {
  #step = 0;
  constructor(private readonly last = Number.POSITIVE_INFINITY) {}

  get count(): number {
    return this.#step;
  }

  take(): void {
    if (++this.#step >= this.last) throw new EndedError();
  }
}

/** The desk of a process that ends at a step, and does nothing afterwards. */
function openDesk(store: TestStore, steps: Steps, account: string): ReleaseDesk {
  const candidates = closing(store.candidates());
  const own = { ...candidates, findAccount: async () => account };
  const ending = new Proxy(own, {
    get(target, name: keyof CandidateStore) {
      const member = target[name] as unknown;
      if (typeof member !== 'function' || name === 'readPart') return member;
      return async (...args: unknown[]) => {
        steps.take();
        return member.apply(target, args);
      };
    },
  });
  const publisher = closing(store.publisher());
  const transaction: Publisher['transaction'] = async (callback) => {
    const result = await publisher.transaction(async (own) => {
      const value = await callback(own);
      steps.take();
      return value;
    });
    steps.take();
    return result;
  };
  return new ReleaseDesk({ ...publisher, transaction }, ending);
}

async function pack(dataset: Dataset, year: string) {
  const path = join(createTempFolder(), `${dataset.name}.json`);
  writeFileSync(path, JSON.stringify([{ ...dataset.example, year }]));
  const options = { mapping: {}, canRelabel: true } as const;
  const load = { kind: 'load', dataset: dataset.name, options } as const;
  const packed = await packLoad(load, [{ path, name: 'a.json' }], undefined);
  return { ...packed, author: 'ann', bundle: 'b', due: undefined, note: undefined };
}

async function dumpPublished({ url }: TestStore) {
  const { candidates: _, candidate_parts: __, reviews: ___, ...tables } = await dumpTables(url);
  return tables;
}

/** What a process does with two candidates of a bundle. */
const ACTIONS = {
  stage: async (desk: ReleaseDesk) => void (await desk.stage(await pack(online, '2023'))),
  approve: async (desk: ReleaseDesk) => void (await desk.approve(1)),
  withdraw: async (desk: ReleaseDesk) => void (await desk.withdraw(1)),
  publish: async (desk: ReleaseDesk) => void (await desk.publish([1, 2])),
} as const;

describe.each([...ENGINES])('$name', ({ createStore, scaleRuns }) => {
  // Each step takes a database: where that takes longer, every third.
  const stride = scaleRuns(10) < 10 ? 3 : 1;
  test.each(Object.entries(ACTIONS))(
    '%s: a process that ends at any step leaves nothing visible in part, twice or lost',
    async (name, act) => {
      const publishes = name === 'publish';
      for (let last = 1; ; last += stride) {
        const store = await createStore();
        await store.publish(online, [online.example]);
        const others = openDesk(store, new Steps(), 'bob');
        if (name !== 'stage') await others.stage(await pack(online, '2024'));
        if (name !== 'stage') await others.stage(await pack(ivr, '2024'));
        const before = await dumpPublished(store);
        const steps = new Steps(last);
        const hasEnded = await act(openDesk(store, steps, 'ann')).then(
          () => false,
          (cause) => {
            if (cause instanceof EndedError) return true;
            throw cause;
          },
        );
        const read = () => closing(store.reader()).revisions();
        const count = (await read()).length;
        if (publishes) expect([1, 3]).toContain(count);
        else expect(await dumpPublished(store)).toEqual(before);
        // Somebody else goes on, whatever was done.
        const open = await others.store.list();
        expect(open.length).toBeLessThanOrEqual(2);
        if (name !== 'stage') await others.publish([1, 2]);
        else if (open.length > 0) await others.publish([1]);
        const expected = {
          stage: 1 + open.length,
          approve: 3,
          publish: 3,
          withdraw: 1 + open.length,
        };
        expect(await read()).toHaveLength(expected[name as keyof typeof expected]);
        expect(await others.store.list()).toEqual([]);
        for (const resource of opened.splice(0)) await resource.close();
        await store.remove();
        if (!hasEnded) {
          expect(last).toBeGreaterThan(2);
          break;
        }
      }
    },
  );
});
