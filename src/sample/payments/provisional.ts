import type { atmTransactionsQuarterlyValue } from '../../catalogue/datasets/series/index.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';
import { roundTo } from '../rounding.ts';

type AtmValue = DatasetRecord<typeof atmTransactionsQuarterlyValue>;

/** The quarter as it is first known: one bank's cash is missing, and its deposits are guessed. */
export function toProvisional(record: AtmValue): AtmValue {
  const cash_withdrawl = roundTo(record.cash_withdrawl * 0.987, 1);
  const cash_deposits = roundTo(record.cash_deposits * 1.03, 1);
  const missing = record.cash_withdrawl - cash_withdrawl + record.cash_deposits - cash_deposits;
  return { ...record, cash_withdrawl, cash_deposits, total: roundTo(record.total - missing, 1) };
}
