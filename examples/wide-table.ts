// A table of a central bank: years across the columns, under a header of two rows, with footnotes.
// "FY25 (P) Volume" is of FY25, and provisional; thousands in the file are millions in the catalogue.
import {
  at,
  type atmTransactionsAnnualVolume,
  type OpenedFile,
  parsePeriod,
  parseStatus,
  type RecordIn,
  unpivot,
} from 'tenor';

export const options = {
  dataset: 'atm-transactions-annual-volume',
  decimal: '.',
  scale: {
    ...{ atm_cash: '1e-3', atm_deposit: '1e-3', deposit_instrument: '1e-3' },
    ...{ funds_transfer: '1e-3', utility_bills: '1e-3', funds_transfers: '1e-3', total: '1e-3' },
  },
};

/** The rows that are read, and the fields that they hold; null leaves one out. */
const FIELDS: Readonly<Record<string, string | null>> = {
  'Cash withdrawals': 'atm_cash',
  'Cash deposits': 'atm_deposit',
  'Instrument deposits': 'deposit_instrument',
  'Own-account transfers': 'funds_transfer',
  'Bill payments': 'utility_bills',
  'Third-party transfers': 'funds_transfers',
  Total: 'total',
  'Number of ATMs': null,
};

/** Columns by which the header is found, and the one of the names of rows. */
const HEADER = ['Particulars'];
const NAME = 'Particulars';

/** The field of the period, and the period of a column; undefined for other columns. */
const PERIOD = 'year';
const getPeriod = (column: string) => parsePeriod(/^(.+) Volume$/.exec(column)?.[1], 'year');

type Result = RecordIn<typeof atmTransactionsAnnualVolume>;

export default async function* (file: OpenedFile): AsyncGenerator<Result> {
  const records = new Map<string, Record<string, unknown>>();
  for await (const row of file.table(HEADER, { headerRows: 2 })) {
    const [name, cells] = [row.text(NAME), unpivot(row, (column) => getPeriod(column) && column)];
    const field = FIELDS[name];
    // Footnotes have no figures.
    if (field === null || cells.every(({ value }) => String(value ?? '').trim() === '')) continue;
    if (field === undefined) throw new Error(`the row "${name}" is not known`);
    for (const { name: column, value } of cells) {
      const [period = '', status] = [getPeriod(column), parseStatus(column)];
      const record = records.get(period) ?? at(row, { [PERIOD]: period, status });
      if (field in record) throw new Error(`two rows are ${field}: "${name}" is the second`);
      records.set(period, Object.assign(record, { [field]: value }));
    }
  }
  yield* records.values() as Iterable<Result>;
}
