import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const quoted = (date: string, lastPrice = 98) =>
  `${date},Z05PIB220131,ZZ0000000024,bond,2031-01-22,0,0,${lastPrice},0,0,0`;

const workspace = useLoadWorkspace();

const load = (line: string, couponRate?: number | string) => {
  const [head, row] =
    couponRate === undefined ? [HEADER, line] : [`${HEADER},couponRate`, `${line},${couponRate}`];
  workspace.writeFile('q.csv', `${head}\n${row}\n`);
  return workspace.load(quotes, 'q.csv');
};

const yieldOn = async (date: string) =>
  (await workspace.readRecords(quotes)).find((record) => record.date === date)?.ytm as number;

async function undo(revision: number): Promise<void> {
  const publisher = workspace.store.publisher();
  await revertRevision(publisher, catalogue, { revision, author: 'test' });
  publisher.close();
}

describe('the pricing terms of a security', () => {
  test('that came with a revision are reverted with it', async () => {
    await load(quoted('2026-06-29'), 12);
    await load(quoted('2026-06-30'), 1.2);
    expect(await yieldOn('2026-06-30')).toBeLessThan(2);
    await undo(2);
    await load(quoted('2026-06-30'));
    expect(await yieldOn('2026-06-30')).toBeCloseTo(await yieldOn('2026-06-29'), 1);
    const inspector = workspace.store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  });

  test('are published alone where the quotes are unchanged, and not when they are unchanged as well', async () => {
    await load(quoted('2026-06-29'), 12);
    const given = `${HEADER},maturityYears,ytm,duration,couponFrequency`;
    const [record] = await workspace.readRecords(quotes);
    const figures = `${record?.maturityYears},${record?.ytm},${record?.duration}`;
    workspace.writeFile('q.csv', `${given}\n${quoted('2026-06-29')},${figures},4\n`);
    const { revision, counts } = await workspace.load(quotes, 'q.csv');
    expect(revision).toMatchObject({ revision: 2, added: 0, corrected: 0, unchanged: 1 });
    expect(counts.unchanged).toBe(1);
    expect((await workspace.load(quotes, 'q.csv')).revision).toBeUndefined();
  });

  test('cause a warning where they differ from the stored ones', async () => {
    expect((await load(quoted('2026-06-29'), 12)).report).toMatchObject({ terms: 1, warnings: [] });
    const { report } = await load(quoted('2026-06-30'), 13);
    expect(report.terms).toBe(1);
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        rule: 'terms-changed',
        first: [expect.objectContaining({ at: 2, text: 'couponRate 13 was 12 before' })],
      }),
    );
  });

  test.each<[string, ...[day: string, rate: number][]]>([
    ['in order', ['2026-06-29', 12], ['2026-06-30', 13]],
    ['newest first', ['2026-06-30', 13], ['2026-06-29', 12]],
    [
      'where the newest has the rate of the row before',
      ['2026-06-28', 12],
      ['2026-06-27', 13],
      ['2026-06-30', 13],
    ],
    ['where the newest has what was kept', ['2026-06-30', 11], ['2026-06-29', 12]],
  ])('of a file with many days are those of the newest day, %s', async (_, ...days) => {
    await load(quoted('2026-06-01'), 11);
    const lines = days.map(([day, rate]) => `${quoted(day)},${rate}`);
    workspace.writeFile('q.csv', `${HEADER},couponRate\n${lines.join('\n')}\n`);
    await workspace.load(quotes, 'q.csv');
    await load(quoted('2026-07-01'));
    expect(await yieldOn('2026-07-01')).toBeCloseTo(await yieldOn('2026-06-30'), 1);
  });
});
