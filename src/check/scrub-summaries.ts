import type { Dataset } from '../catalogue/model/dataset.ts';
import { getSummaryTables } from '../schema/summary-tables.ts';
import type { ScrubReader, StoredSlice } from '../store/open-store.ts';
import type { ReportFault } from './check-ledger.ts';
import { compareRows, type SummaryRow } from './check-summaries.ts';

/** Compares the summaries of a dataset with its rows, slice by slice, in little memory. */
export function createSummaryScrubber(
  reader: ScrubReader,
  dataset: Dataset,
  revision: number,
  reportFault: ReportFault,
) {
  const summaries = getSummaryTables(dataset);
  /** The first revision of each security. */
  const securities = new Map<string, number>();
  return {
    async checkSlice({ rows, range }: StoredSlice): Promise<void> {
      if (!summaries) return;
      const days = new Map<string, number>();
      const addToDay = (date: string, type: string, at: number, difference: number) => {
        const key = [date, type, at].join('\0');
        days.set(key, (days.get(key) ?? 0) + difference);
      };
      for (const { columns, since, until } of rows) {
        // A damaged column may have another type than text.
        const [date = '', symbol = '', symbolKey = '', isinKey = '', type = ''] =
          columns.map(String);
        addToDay(date, type, since, 1);
        if (until !== null) addToDay(date, type, until, -1);
        const security = [symbolKey, symbol, isinKey].join('\0');
        securities.set(security, Math.min(since, securities.get(security) ?? since));
      }
      const actual = await reader.summaryRows(summaries.days, revision, range);
      const expected = toRows([...days].filter(([, difference]) => difference !== 0));
      compareRows(summaries.days, actual, expected, reportFault);
    },
    async finish(): Promise<void> {
      if (!summaries) return;
      const actual = await reader.summaryRows(summaries.securities, revision);
      compareRows(summaries.securities, actual, toRows([...securities]), reportFault);
    },
  };
}

function toRows(entries: readonly (readonly [key: string, value: number])[]): SummaryRow[] {
  return entries.map(([key, value]) => [...key.split('\0'), value]);
}
