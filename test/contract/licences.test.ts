import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ivrBankingAnnualValue } from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareIn } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { publishAt } from '../support/publish-at.ts';
import { ENGINES } from '../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';
import { DOORS } from './licence-doors.ts';

const SOURCE = 'A & B <i>"Bureau"</i>, \'Lahore\', =1+1';
const LICENCE = 'Free & <b>unless</b> sold: see https://example.com/terms?a=1&b=2.';
const declare = (name: string, texts: Pick<Declaration, 'source' | 'licence'> = {}) => ({
  name,
  title: name,
  period: { kind: 'year', field: 'year' } as const,
  measures: [{ field: 'total', title: 'Total', unit: 'tonnes', kind: 'flow' } as const],
  ...texts,
});
const BOTH = { source: SOURCE, licence: LICENCE };

const load = (
  service: TestServer,
  dataset: ReturnType<typeof createDeclaredDataset> | typeof ivrBankingAnnualValue,
  record: object,
  licence?: string,
  replace = false,
) =>
  publishAt(service.store, Date.now(), dataset, {
    records: [record as Readonly<Record<string, unknown>>],
    replace,
    source: 'eod.csv',
    files: [{ name: 'eod.csv', bytes: 1, sha256: '00' }],
    options: {
      options: { ...(licence !== undefined && { licence }), ...(replace && { replace }) },
    },
  });

/** What each dataset has at each revision that matters: its source, its licence. */
const STATES = [
  // With declarations alone.
  { revision: 1, declared: BOTH, loaded: {}, bare: {}, shipped: {} },
  // After the first load of each, with a licence.
  {
    revision: 5,
    declared: BOTH,
    loaded: { licence: 'CC0-1.0' },
    bare: {},
    shipped: { licence: 'CC-BY-4.0' },
  },
  // Declared anew, with other texts, without one, and with the first ones.
  {
    revision: 6,
    declared: { source: 'Other', licence: 'MIT' },
    loaded: { source: SOURCE, licence: 'https://example.com/terms' },
    bare: {},
    shipped: { licence: 'CC-BY-4.0' },
  },
] as const;
const NAMES = {
  declared: 'declared',
  loaded: 'loaded',
  bare: 'bare',
  shipped: ivrBankingAnnualValue.name,
} as const;

describe.each(ENGINES)('source and licence of datasets, with $name,', ({ createStore }) => {
  let service: TestServer;
  beforeAll(async () => {
    const store = await createStore();
    service = await startTestServer(store);
    const declarations = [declare('declared', BOTH), declare('loaded'), declare('bare')];
    await declareIn(store, ...declarations);
    const record = { year: '2024', total: 0 };
    const [declared, loaded, bare] = declarations.map((each) => createDeclaredDataset(each));
    if (!declared || !loaded || !bare) throw new Error('three are declared');
    await load(service, declared, record, 'CC0-1.0');
    await load(service, loaded, record, 'CC0-1.0');
    await load(service, bare, record);
    const [shipped = {}] = readFixture(ivrBankingAnnualValue);
    await load(service, ivrBankingAnnualValue, shipped, 'CC-BY-4.0');
    await declareIn(
      store,
      declare('declared', { source: 'Other', licence: 'MIT' }),
      declare('loaded', { source: SOURCE, licence: 'https://example.com/terms' }),
    );
    await service.getJson('/revisions', { 'Tenor-Revision': '6' });
  });
  afterAll(() => service.stop());

  for (const [door, readTexts] of Object.entries(DOORS))
    for (const { revision, ...states } of STATES)
      test(`are the declaration's, or else the load's, as of revision ${revision}, by ${door}`, async () => {
        for (const [key, expected] of Object.entries(states)) {
          const name = NAMES[key as keyof typeof NAMES];
          const texts = await readTexts(service, name, String(revision));
          expect([name, texts]).toEqual([
            name,
            { source: undefined, licence: undefined, ...expected },
          ]);
        }
      });

  test('are told of the newest revision as well, and a load that follows changes nothing that is declared', async () => {
    const { data } = await service.getJson('/catalogue?limit=100');
    const find = (name: string) => data.find((each: { name: string }) => each.name === name);
    expect(find('declared')).toMatchObject({ source: 'Other', licence: 'MIT' });
    const dataset = createDeclaredDataset(declare('loaded'));
    const revision = await load(service, dataset, { year: '2025', total: -1 }, 'CC-BY-4.0');
    await service.getJson('/revisions', { 'Tenor-Revision': String(revision?.revision) });
    for (const readTexts of Object.values(DOORS))
      expect(await readTexts(service, 'loaded')).toEqual({
        source: SOURCE,
        licence: 'https://example.com/terms',
      });
  });

  test('are those of the load that replaced all others, whatever these had, and of none before it', async () => {
    const dataset = createDeclaredDataset(declare('bare'));
    const record = { year: '2025', total: -1 };
    const replacing = await load(service, dataset, record, 'CC-BY-4.0', true);
    const last = await load(service, dataset, { year: '2026', total: 0 }, 'CC-BY-4.0');
    const [before, after] = [Number(replacing?.revision) - 1, Number(last?.revision)];
    await service.getJson('/revisions', { 'Tenor-Revision': String(after) });
    for (const [door, readTexts] of Object.entries(DOORS)) {
      const licences: (string | undefined)[] = [];
      for (const asOf of [before, before + 1, after])
        licences.push((await readTexts(service, 'bare', String(asOf))).licence);
      expect([door, ...licences]).toEqual([door, undefined, 'CC-BY-4.0', 'CC-BY-4.0']);
    }
  });

  test('are told by SDMX of datasets beyond the scopes of a token as they are declared, without what loads say', async () => {
    const token = await issueSecret(service.store, ['quotes']);
    const response = await fetch(`${service.address}/sdmx/2.1/dataflow`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    expect(text).toContain('https://example.com/terms');
    expect(text).not.toContain('CC-BY-4.0');
  });

  test.each(['*/*', 'application/vnd.sdmx.structure+json;version=2.0.0'])(
    'are left out by SDMX of what is sent by its name alone, as %s',
    async (accept) => {
      for (const [detail, hasAnnotations] of [
        ['full', true],
        ['allstubs', false],
      ] as const) {
        const target = `/sdmx/2/structure/dataflow?detail=${detail}`;
        const response = await fetch(service.address + target, {
          headers: { Authorization: `Bearer ${TOKEN}`, Accept: accept },
        });
        expect(response.status).toBe(200);
        expect([detail, /annotation/i.test(await response.text())]).toEqual([
          detail,
          hasAnnotations,
        ]);
      }
    },
  );
});
