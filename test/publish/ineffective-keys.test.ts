import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import {
  mobileMoneyAccountsMale as accounts,
  mobileMoneyMarketShareValue as marketShare,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { type CommandCall, parseCommandLine } from '../../src/cli/command.ts';
import { loadCommand } from '../../src/cli/commands/load.ts';
import { parseMappingOptions } from '../../src/cli/mapping-options.ts';
import { findIneffectiveKey } from '../../src/publish/mapping/ineffective-keys.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { useFileLoader } from './file-loader.ts';

const { loadInvalid } = useFileLoader();

const LOOKUP = { file: 'a.csv', column: 'code', by: '{code}' };
const SHARE = { shareOf: '{Value}' };

describe('a key of a mapping that has no effect on the dataset is found', () => {
  test.each<[Mapping, Dataset, string]>([
    [{ decimal: ',' }, funds, 'it has no numbers'],
    [{ periods: 'sbp' }, quotes, 'it has no periods of years, quarters or months'],
    [{ dates: 'dmy' }, online, 'it has no dates'],
    [{ blank: 'zero' }, funds, 'it has no numbers'],
    [{ blank: 'absent' }, online, 'it has no list whose keys may be absent'],
    [{ blank: 'absent' }, fundAllocation, 'it has no list whose keys may be absent'],
    [{ uncomputable: 'zero' }, online, 'only figures of quotes are computed'],
    [{ settlementDays: 2 }, funds, 'only quotes settle'],
    [{ repeatedKeys: 'add' }, quotes, 'it has no list whose keys may repeat'],
    [{ lookup: LOOKUP, fields: { isin: '{code}' } }, quotes, 'no field uses {lookup.COLUMN}'],
  ])('%j', (mapping, dataset, reason) => {
    const [key = ''] = Object.keys(mapping);
    expect(findIneffectiveKey(mapping, dataset)).toEqual({ key, reason });
  });

  test('a share outside of the values of a list', () => {
    expect(findIneffectiveKey({ fields: { ytm: SHARE } }, quotes)).toEqual({
      key: 'fields.ytm.shareOf',
      reason: 'shares are of the values of a list, which the dataset has not',
    });
    expect(findIneffectiveKey({ fields: { 'operators:key': SHARE } }, marketShare)).toEqual({
      key: 'fields.operators:key.shareOf',
      reason: 'shares are of the values of a list, such as operators:value',
    });
  });
});

test.each<[Mapping, Dataset]>([
  [{ decimal: ',', dates: 'dmy', uncomputable: 'zero', blank: 'zero' }, quotes],
  [{ lookup: LOOKUP, fields: { isin: '{lookup.isin}' } }, quotes],
  [{ periods: 'sbp', blank: 'absent', repeatedKeys: 'add' }, marketShare],
  [{ fields: { 'operators:value': SHARE } }, marketShare],
  [{ periods: 'sbp', dates: 'mdy', decimal: ',' }, fundAllocation],
  [{ dates: 'dmy', decimal: ',', blank: 'zero' }, securities],
  [{ sheet: '2', headerRow: 3, format: 'xlsx', blanks: ['-'], otherColumns: 'ignore' }, funds],
])('keys that have an effect are accepted: %j', (mapping, dataset) => {
  expect(findIneffectiveKey(mapping, dataset)).toBeUndefined();
});

test('an option that has no effect on the dataset is rejected by its own name', () => {
  const call = parseCommandLine(loadCommand, [online.name, 'a.csv', '--dates', 'dmy']);
  expect(() => parseMappingOptions(call as CommandCall, online)).toThrow(
    '--dates has no effect on online-banking-annual-volume: it has no dates',
  );
});

test('a mapping that says something of columns that the file does not have is rejected', async () => {
  const file = 'period,national,provinces.punjab\nJun 2026,3,1\n';
  const mapping = {
    scale: { 'provinces:value': '1e3' },
    zeroIsBlank: ['provinces.sindh'],
    repeatedKeys: 'add',
  } as const;
  expect(await loadInvalid('a.csv', file, mapping, accounts)).toEqual([
    'a.csv has, in line 1, a header on which "scale" of provinces:value, "zeroIsBlank" of provinces.sindh, "repeatedKeys" of the mapping has no effect',
  ]);
});

test('a header row is rejected for a file without rows', async () => {
  expect(await loadInvalid('a.json', '[]', { headerRow: 2 })).toEqual([
    'a.json has no row that could name the columns, so --header-row has no effect',
  ]);
});
