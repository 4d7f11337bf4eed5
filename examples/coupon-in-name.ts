// Corporate bonds whose coupon and maturity are in their names: "CEDAR BANK NCD 9.90% 15-Mar-2031".
import {
  findDate,
  findPercentage,
  type OpenedFile,
  type quotes,
  type RecordIn,
  type Row,
} from 'tenor';

export const options = { dataset: 'quotes' };

/** Columns by which the header is found. */
const HEADER = ['ISIN', 'Issue', 'Last Price'];

/** Headings and sums are no records. */
const isRecord = (row: Row) => row.text('ISIN') !== '';

const toRecord = (row: Row, file: OpenedFile): RecordIn<typeof quotes> => {
  const name = row.text('Issue');
  const coupon = findPercentage(name);
  return {
    date: findDate(file.name) ?? '',
    symbol: row.get('ISIN'),
    isin: row.get('ISIN'),
    type: 'corporate',
    maturityDate: findDate(name) ?? '',
    bidPrice: 0,
    askPrice: 0,
    lastPrice: row.get('Last Price'),
    bidVolume: 0,
    askVolume: 0,
    volume: row.get('Traded Value'),
    couponRate: coupon ?? null,
    couponFrequency: /monthly/i.test(name) ? 12 : 1,
    pricing: coupon === undefined ? 'zero' : 'coupon',
  };
};

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  for await (const row of file.table(HEADER)) if (isRecord(row)) yield toRecord(row, file);
}
