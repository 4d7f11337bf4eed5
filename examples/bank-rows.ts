// A row for each bank and month, with a total below each month: banks are summed to the month.
import {
  at,
  type branchlessBankingAgents,
  groupAndSum,
  type OpenedFile,
  parseNumber,
  parsePeriod,
  type RecordIn,
} from 'tenor';

export const options = { dataset: 'branchless-banking-agents' };

export default async function* (
  file: OpenedFile,
): AsyncGenerator<RecordIn<typeof branchlessBankingAgents>> {
  const months = await groupAndSum(
    file.table(['Month', 'Bank', 'Punjab']),
    // A row without a key is left out.
    (row) =>
      row.text('Bank').startsWith('Total') ? undefined : parsePeriod(row.get('Month'), 'month'),
    (row) => {
      const count = (column: string) => parseNumber(row.get(column), '.');
      return {
        total: count('All Regions'),
        'provinces.punjab': count('Punjab'),
        'provinces.sindh': count('Sindh'),
        'provinces.kpk': count('KP'),
        'provinces.balochistan': count('Balochistan'),
      };
    },
  );
  for (const { key: period, first, sums } of months) yield at(first, { period, ...sums });
}
