import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildCatalogueEntry } from '../../src/catalogue/model/catalogue-entry.ts';
import type { CheckName, ConsistencyCheck } from '../../src/catalogue/model/consistency-check.ts';
import {
  CHECK_NAMES,
  explainViolation,
  isSatisfied,
} from '../../src/catalogue/model/consistency-check.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { findRecordWarnings } from '../../src/publish/quality/index.ts';
import { fixtureOf } from '../support/fixtures.ts';

/** What to put in the place of which field so that an identity does not hold any more. */
const SPOILT: Record<CheckName, (identity: ConsistencyCheck, record: AnyRecord) => AnyRecord> = {
  'parts-off-total': ({ field }, record) => ({ [field]: Number(record[field]) + 1 }),
  'shares-off-one': ({ field }, record) => ({
    [field]: [...(record[field] as object[]), { key: 'one-too-many', value: 0.01 }],
  }),
  'list-above-total': ({ field }) => ({ [field]: 1 }),
  'rows-off-100': ({ field }) => ({ [field]: [] }),
  'bid-above-ask': ({ field, others: [ask = ''] }) => ({ [field]: 98.2, [ask]: 98.1 }),
};

const declared = catalogue.flatMap((dataset) => {
  const { checks } = JSON.parse(JSON.stringify(buildCatalogueEntry(dataset)));
  return dataset.checks.map(
    (identity, index) =>
      [`${dataset.name}: ${identity.rule}`, dataset, identity, checks[index]] as const,
  );
});

test('every kind of identity is used', () => {
  const used = new Set(declared.map(([, , { name }]) => name));
  expect([...used].toSorted()).toEqual(CHECK_NAMES.toSorted());
});

describe.each(declared)('%s', (_, dataset, identity, check) => {
  const sound = [dataset.example as AnyRecord, ...fixtureOf(dataset)];
  const spoilt = sound.map((record) => ({ ...record, ...SPOILT[identity.name](identity, record) }));

  test('is told whole by the catalogue, of fields that there are', () => {
    expect(check).toEqual(identity);
    const named = [identity.field, ...identity.others];
    expect(named.filter((name) => !(name in dataset.fields))).toEqual([]);
  });

  test('gives whoever reads the catalogue the verdict that a load gives', () => {
    for (const record of sound) expect(isSatisfied(check, record)).toBe(true);
    for (const record of spoilt) {
      expect(isSatisfied(check, record)).toBe(false);
      const { name: rule, field } = identity;
      const value = record[field as keyof typeof record];
      const text = explainViolation(check, record);
      expect(findRecordWarnings(dataset, record)).toContainEqual({ rule, field, value, text });
    }
  });
});

test.each(['chart.ts', 'consistency-check.ts'])(
  '%s can stand in a page: it imports nothing',
  (name) => {
    const file = join(import.meta.dirname, '../../src/catalogue/model', name);
    const source = readFileSync(file, 'utf8');
    expect(new Bun.Transpiler({ loader: 'ts' }).scanImports(source)).toEqual([]);
    expect(source).not.toMatch(/\b(?:Bun|process|Buffer)\b/);
  },
);
