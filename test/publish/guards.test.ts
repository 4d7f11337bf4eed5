import { describe, expect, test } from 'bun:test';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { LoadValidationError } from '../../src/publish/errors.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

const workspace = useLoadWorkspace();

/** What is stored with a revision. */
async function readEntry(revision: number) {
  const reader = workspace.store.reader();
  try {
    return await reader.ledgerEntry(revision);
  } finally {
    reader.close();
  }
}

describe('a warning rule', () => {
  test('that is muted is counted but not reported, satisfies a strict load, and is kept with the revision', async () => {
    workspace.writeFile('a.csv', csv('2022,1,1,1,9', '2024,1,1,1,9'));
    const mute = ['parts-off-total', 'period-gap'];
    const { report } = await workspace.load(online, 'a.csv', { mapping: { mute }, isStrict: true });
    expect(report.warnings).toEqual([]);
    expect(report.muted).toEqual({ 'parts-off-total': 2, 'period-gap': 1 });
    const entry = await readEntry(1);
    expect(entry?.options).toEqual({ options: { strict: true }, muted: mute });
    expect(entry?.report).toMatchObject({ muted: report.muted });
  });

  test('that is refused rejects a load, and only its warnings are reported', async () => {
    workspace.writeFile('a.csv', csv('2022,1,1,1,9', '2024,1,1,1,3'));
    const mapping = { refuse: ['parts-off-total'] };
    const loading = workspace.load(online, 'a.csv', { mapping, isDryRun: true });
    const rejection = await loading.catch((cause) => cause);
    expect(rejection).toBeInstanceOf(LoadValidationError);
    expect(rejection).toMatchObject({ problems: [], count: 1 });
    expect(rejection.report.warnings).toMatchObject([
      { rule: 'parts-off-total', first: [{ file: 'a.csv', at: 2, field: 'total', value: 9 }] },
    ]);
    workspace.writeFile('a.csv', csv('2022,1,1,1,3', '2024,1,1,1,3'));
    const { report } = await workspace.load(online, 'a.csv', { mapping });
    expect(report.warnings).toMatchObject([{ rule: 'period-gap' }]);
    expect((await readEntry(1))?.options).toEqual({ refused: ['parts-off-total'] });
  });
});
