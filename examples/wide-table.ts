// A table of a central bank: years across the columns, under a header of two rows, with footnotes.
import {
  type atmTransactionsAnnualVolume,
  type OpenedFile,
  parseNumber,
  parsePeriod,
  type RecordIn,
  unpivot,
} from 'tenor';

export const options = { dataset: 'atm-transactions-annual-volume' };

const FIELDS: Readonly<Record<string, string>> = {
  'Cash withdrawals': 'atm_cash',
  'Cash deposits': 'atm_deposit',
  'Instrument deposits': 'deposit_instrument',
  'Own-account transfers': 'funds_transfer',
  'Bill payments': 'utility_bills',
  'Third-party transfers': 'funds_transfers',
  Total: 'total',
};

type Year = RecordIn<typeof atmTransactionsAnnualVolume>;

export default async function (file: OpenedFile): Promise<Year[]> {
  const years = new Map<string, Record<string, unknown>>();
  for await (const row of file.table(['Particulars'], { headerRows: 2 })) {
    const field = FIELDS[row.text('Particulars')];
    // Footnotes, and rows about other things.
    if (!field) continue;
    // "FY25 (P) Volume" is of the year FY25.
    const volumes = unpivot(row, (column) =>
      column.endsWith(' Volume')
        ? parsePeriod(column.slice(0, -' Volume'.length), 'year')
        : undefined,
    );
    for (const { name: year, value } of volumes) {
      const record = years.get(year) ?? { year };
      years.set(year, record);
      // Thousands in the file, millions in the catalogue.
      record[field] = (parseNumber(value, '.') ?? 0) / 1000;
    }
  }
  return [...years.values()] as Year[];
}
