// Corporate bonds whose coupon and maturity are in their names: "CEDAR BANK NCD 9.90% 15-Mar-2031".
import { findDate, findPercentage, type OpenedFile, type quotes, type RecordIn } from 'tenor';

export const options = { dataset: 'quotes' };

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  const date = findDate(file.name);
  if (!date) throw new Error('the name of the file has no date such as 2025-06-30');
  for await (const row of file.table(['ISIN', 'Issue', 'Last Price'])) {
    // Headings and subtotals of sectors have no ISIN.
    if (row.text('ISIN') === '') continue;
    const name = row.text('Issue');
    const coupon = findPercentage(name);
    yield {
      date,
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
  }
}
