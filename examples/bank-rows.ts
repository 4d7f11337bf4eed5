// A row for each bank and month, with a total below each month: banks are summed to the month.
import {
  at,
  type branchlessBankingAgents,
  groupAndSum,
  type OpenedFile,
  parseNumber,
  type RecordIn,
  type Row,
} from 'tenor';

export const options = { dataset: 'branchless-banking-agents', periods: 'sbp' };

/** Columns by which the header is found. */
const HEADER = ['Month', 'Bank', 'Punjab'];

/** Headings and sums are no part of a record. */
const isPart = (row: Row) => !/\btotal\b/i.test(row.text('Bank'));

/** Rows in which these are the same are one record. */
const toKeys = (row: Row) => ({ period: row.get('Month') });

/** What is added up. */
const toFigures = (row: Row) => ({
  total: parseNumber(row.get('All Regions'), '.'),
  'provinces.punjab': parseNumber(row.get('Punjab'), '.'),
  'provinces.sindh': parseNumber(row.get('Sindh'), '.'),
  'provinces.kpk': parseNumber(row.get('KP'), '.'),
  'provinces.balochistan': parseNumber(row.get('Balochistan'), '.'),
});

export default async function* (
  file: OpenedFile,
): AsyncGenerator<RecordIn<typeof branchlessBankingAgents>> {
  const getKey = (row: Row) => (isPart(row) ? JSON.stringify(toKeys(row)) : undefined);
  const groups = await groupAndSum(file.table(HEADER), getKey, toFigures);
  for (const { first, sums } of groups) yield at(first, { ...toKeys(first), ...sums });
}
