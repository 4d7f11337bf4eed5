// A workbook with the board of a day on each sheet, which the sheet is named after: "30-Jun-2025".
import { findDate, type OpenedFile, type quotes, type RecordIn, type Row, type Sheet } from 'tenor';

export const options = { dataset: 'quotes', blank: 'zero' };

/** Columns by which the header is found. */
const HEADER = ['Security', 'Bid', 'Offer'];

/** Sheets without such a table. */
const OTHER_SHEETS: readonly string[] = ['Summary'];

/** The day of all records of a sheet. */
const findDay = async (sheet: Sheet, _file: OpenedFile) => findDate(sheet.name) ?? '';

/** Headings and sums are no records. */
const isRecord = (row: Row) => row.text('Matures') !== '';

const toRecord = (row: Row, date: string): RecordIn<typeof quotes> => {
  const isBill = row.text('Security').includes('TB');
  return {
    date,
    symbol: row.get('Security'),
    isin: row.get('ISIN'),
    type: isBill ? 'tbill' : 'bond',
    maturityDate: row.get('Matures'),
    bidPrice: row.get('Bid'),
    askPrice: row.get('Offer'),
    lastPrice: row.get('Last'),
    bidVolume: 0,
    askVolume: 0,
    volume: row.get('Volume'),
    couponRate: isBill ? null : row.get('Coupon'),
  };
};

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  for await (const sheet of file.sheets()) {
    if (OTHER_SHEETS.includes(sheet.name)) continue;
    const date = await findDay(sheet, file);
    for await (const row of sheet.table(HEADER)) if (isRecord(row)) yield toRecord(row, date);
  }
}
