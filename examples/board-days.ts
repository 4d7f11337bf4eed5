// A workbook with the board of a day on each sheet, which the sheet is named after: "30-Jun-2025".
import type { OpenedFile, quotes, RecordIn } from 'tenor';

export const options = { dataset: 'quotes', dates: 'dmy', blank: 'zero' };

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  for await (const sheet of file.sheets()) {
    // "Summary" and the like.
    if (!/^\d/.test(sheet.name)) continue;
    for await (const row of sheet.table(['Security', 'Bid', 'Offer'])) {
      if (row.text('Matures') === '') continue;
      const isBill = row.text('Security').includes('TB');
      yield {
        date: sheet.name,
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
    }
  }
}
