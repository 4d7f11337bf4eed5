import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { buildCatalogueEntry } from '../../src/catalogue/model/catalogue-entry.ts';
import {
  CHECK_KINDS,
  type CheckName,
  type ConsistencyCheck,
  findViolation,
} from '../../src/catalogue/model/consistency-check.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { findRecordWarnings } from '../../src/publish/quality/record-warnings.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';

/** Changes to a record that violate each kind of check. */
const VIOLATIONS: Record<CheckName, (check: ConsistencyCheck, record: AnyRecord) => AnyRecord> = {
  'parts-off-total': ({ field }, record) => ({ [field]: Number(record[field]) + 1 }),
  'shares-off-one': ({ field }, record) => ({
    [field]: [...(record[field] as object[]), { key: 'one-too-many', value: 0.01 }],
  }),
  'list-above-total': ({ field }) => ({ [field]: 1 }),
  'rows-off-100': ({ field }) => ({ [field]: [] }),
  'figure-above-other': ({ field, others: [other = ''] }) => ({ [field]: 2, [other]: 1 }),
  'bid-above-ask': ({ field, others: [ask = ''] }) => ({ [field]: 98.2, [ask]: 98.1 }),
};

const limited = createDeclaredDataset({
  ...KIBOR,
  checks: [{ field: 'bid', atMost: 'offer' }],
});

const declaredChecks = [...catalogue, limited].flatMap((dataset) => {
  const { checks } = JSON.parse(JSON.stringify(buildCatalogueEntry(dataset)));
  return dataset.checks.map(
    (check, index) => [`${dataset.name}: ${check.rule}`, dataset, check, checks[index]] as const,
  );
});

test('every kind of consistency check is used by a dataset', () => {
  const names = declaredChecks.map(([, , { name }]) => name);
  expect(new Set<string>(names)).toEqual(new Set(Object.keys(CHECK_KINDS)));
});

describe.each(declaredChecks)('the check %s', (_, dataset, check, publishedCheck) => {
  test('is complete in the catalogue response and names existing fields', () => {
    expect(publishedCheck).toEqual(check);
    const names = [check.field, ...check.others];
    expect(names.filter((name) => !(name in dataset.fields))).toEqual([]);
  });

  test('gives readers of the catalogue the same result as a load', () => {
    const fixture = dataset.declared ? [] : readFixture(dataset);
    for (const record of [dataset.example as AnyRecord, ...fixture]) {
      expect(findViolation(publishedCheck, record)).toBeUndefined();
      const changed: AnyRecord = { ...record, ...VIOLATIONS[check.name](check, record) };
      const text = findViolation(publishedCheck, changed) ?? 'no violation';
      const { name: rule, field } = check;
      const warning = { rule, field, value: changed[field], text };
      expect(findRecordWarnings(dataset, changed)).toContainEqual(warning);
    }
  });
});

test.each(['chart.ts', 'consistency-check.ts'])(
  'the explorer can bundle %s: it imports nothing and uses no server globals',
  (name) => {
    const file = join(import.meta.dirname, '../../src/catalogue/model', name);
    const source = readFileSync(file, 'utf8');
    expect(new Bun.Transpiler({ loader: 'ts' }).scanImports(source)).toEqual([]);
    expect(source).not.toMatch(/\b(?:Bun|process|Buffer)\b/);
  },
);
