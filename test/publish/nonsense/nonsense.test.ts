import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSamplePublications } from '../../../scripts/sample/sample-publications.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import { LoadValidationError } from '../../../src/publish/errors.ts';
import { getKeyFields } from '../../../src/schema/key-fields.ts';
import { createLoadWorkspace, type LoadWorkspace } from '../../support/load-workspace.ts';
import { DECLARED, generateDeclared } from './declared-data.ts';
import { DECLARED_KINDS } from './declared-kinds.ts';
import type { HonestFile, Loose, NonsenseKind } from './kind.ts';
import { NONSENSE_KINDS } from './kinds.ts';

/** A day after the sample's last quotes. */
const TODAY = '2026-07-01';
const QUOTED_DAYS = 10;
const LOADED_PERIODS = 8;

let workspace: LoadWorkspace;
const honestFiles = new Map<string, HonestFile>();

beforeAll(async () => {
  workspace = await createLoadWorkspace();
  const declared = DECLARED.map((dataset) => [dataset, generateDeclared(dataset)] as const);
  for (const [dataset, records] of [...collectSample(), ...declared]) {
    const file = splitSample(dataset, records);
    honestFiles.set(dataset.name, file);
    const published = [...file.earlier, ...file.previous];
    if (published.length > 0) await workspace.store.publish(dataset, published);
  }
});
afterAll(() => workspace.close());

/** The records of the sample as they are after all its publications. */
function collectSample(): ReadonlyMap<Dataset, AnyRecord[]> {
  const publications = Map.groupBy(createSamplePublications(), ({ dataset }) => dataset);
  return new Map(
    [...publications].map(([dataset, published]) => {
      const records = published.flatMap((publication) => publication.records);
      const keys = getKeyFields(dataset);
      const getKey = (record: AnyRecord) => keys.map((field) => record[field]).join(' ');
      return [dataset, [...new Map(records.map((record) => [getKey(record), record])).values()]];
    }),
  );
}

const isInSmallMarket = ({ isin }: AnyRecord) => Number(String(isin).slice(-2, -1)) % 2 === 0;

/** The newest day or period is the file, and those before it are published. */
function splitSample(dataset: Dataset, records: readonly AnyRecord[]): HonestFile {
  const { shape, period } = dataset;
  if (shape === 'quotes') {
    const days = [...Map.groupBy(records, ({ date }) => date as string)].toSorted();
    // Half of the securities are a market as well.
    const quoted = days.toReversed().map(([, ofDay]) => ofDay.filter(isInSmallMarket));
    const [newest, previous, ...earlier] = quoted;
    return {
      records: newest ?? [],
      previous: previous ?? [],
      earlier: earlier.slice(0, QUOTED_DAYS).flat(),
    };
  }
  if (dataset.declared && period) {
    const { field } = period;
    const places = [...Map.groupBy(records, (record) => record[field]).values()];
    const [newest, previous, ...earlier] = places.toReversed() as Loose[][];
    return { records: newest ?? [], previous: previous ?? [], earlier: earlier.flat() };
  }
  if (period) {
    const [newest, previous, ...earlier] = records.toReversed();
    return { records: [newest as Loose], previous: [previous as Loose], earlier };
  }
  // A fund is one record with all its periods.
  return {
    records: [records[0] as Loose],
    previous: [],
    earlier: shape === 'reference' ? [...records] : [],
  };
}

/** The rules that warn of a file, or the messages that reject it. */
async function loadNonsense(
  { alter, options, file }: Pick<NonsenseKind, 'alter' | 'options' | 'file'>,
  dataset: Dataset,
) {
  const honest = honestFiles.get(dataset.name);
  if (!honest) throw new Error(`the sample has no ${dataset.name}`);
  const content = await alter(honest, dataset);
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  const name = file ?? (isText ? 'file.csv' : 'file.json');
  workspace.writeFile(name, isText ? content : JSON.stringify(content));
  try {
    const loading = { today: TODAY, isDryRun: true, ...options };
    const { report } = await workspace.load(dataset, name, loading);
    return { rules: report.warnings.map(({ rule }) => rule as string), message: '' };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const problems = cause instanceof LoadValidationError ? cause.problems : [];
    const lines = problems.map(({ field, rule }) => `${field} must be ${rule}`);
    return { rules: [], message: [cause.message, ...lines].join('\n') };
  }
}

describe('honest files', () => {
  test('of every dataset of the sample are loaded without a warning', async () => {
    expect(honestFiles.size).toBeGreaterThan(12);
    for (const dataset of [...catalogue, ...DECLARED].filter(({ name }) => honestFiles.has(name))) {
      const result = await loadNonsense({ alter: ({ records }) => records }, dataset);
      expect([dataset.name, result]).toEqual([dataset.name, { rules: [], message: '' }]);
    }
  });
});

describe('an honest history', () => {
  test.each(DECLARED.map((dataset) => [dataset.name, dataset] as const))(
    'of %s that lacks a period is loaded period by period without a warning',
    async (_, dataset) => {
      const history = await createLoadWorkspace();
      const { field = '' } = dataset.period ?? {};
      const periods = [...Map.groupBy(generateDeclared(dataset), (each) => each[field]).values()];
      const loaded = periods.slice(-LOADED_PERIODS);
      const published = periods.slice(0, -LOADED_PERIODS).toSpliced(3, 1);
      await history.store.publish(dataset, published.flat());
      const warnings: string[] = [];
      for (const records of loaded) {
        history.writeFile('a.json', JSON.stringify(records));
        const { report } = await history.load(dataset, 'a.json', { today: TODAY });
        warnings.push(...report.warnings.flatMap(({ first }) => first.map(({ text }) => text)));
      }
      await history.close();
      expect(warnings).toEqual([]);
    },
  );
});

describe('nonsense', () => {
  test('has at least 240 kinds that are found out, each with one name', () => {
    const found = NONSENSE_KINDS.filter(({ undetected }) => !undetected);
    expect(found.length).toBeGreaterThanOrEqual(240);
    const unknown = DECLARED_KINDS.filter(({ undetected }) => undetected);
    expect(DECLARED_KINDS.length).toBeGreaterThanOrEqual(120);
    expect(unknown.length).toBeLessThanOrEqual(DECLARED_KINDS.length / 10);
    const names = NONSENSE_KINDS.map(({ name, datasets }) => `${name} ${datasets[0]?.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  for (const kind of NONSENSE_KINDS)
    for (const dataset of kind.datasets)
      test(`${kind.name} in ${dataset.name} is as documented`, async () => {
        const { rules, message } = await loadNonsense(kind, dataset);
        const { warns, refused, undetected } = kind;
        if (undetected) expect({ rules, message }).toEqual({ rules: [], message: '' });
        else if (warns) expect(rules).toContain(warns);
        else {
          expect(message).not.toBe('');
          expect(message).toContain(refused ?? '');
        }
      });
});
