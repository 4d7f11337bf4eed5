import { type AdapterOptions, type OpenedFile, quotes, type RecordIn } from 'tenor';

export const options: AdapterOptions = { dataset: quotes.name, decimal: '.' };

/** Yields a record for each row of a file of quotes, with every field from its cell. */
export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  for await (const row of file.table(['date', 'symbol'])) {
    yield {
      date: row.get('date'),
      symbol: row.get('symbol'),
      isin: row.get('isin'),
      type: row.get('type'),
      maturityDate: row.get('maturityDate'),
      maturityYears: row.get('maturityYears'),
      bidPrice: row.get('bidPrice'),
      askPrice: row.get('askPrice'),
      lastPrice: row.get('lastPrice'),
      bidVolume: row.get('bidVolume'),
      askVolume: row.get('askVolume'),
      volume: row.get('volume'),
      ytm: row.get('ytm'),
      duration: row.get('duration'),
    };
  }
}
