// JSON with an object for each security, named by its symbol, and the time of its last trade.
import type { JsonValue, OpenedFile, quotes, RecordIn } from 'tenor';

export const options = { dataset: 'quotes' };

/** The objects that are records. */
const PATH = 'bonds.*';

const toRecord = ({ keys, value }: JsonValue, _file: OpenedFile): RecordIn<typeof quotes> => ({
  date: value.traded?.slice(0, 10),
  symbol: keys[0] ?? '',
  isin: value.isin,
  type: 'bond',
  maturityDate: value.maturity,
  bidPrice: value.quote?.bid,
  askPrice: value.quote?.ask,
  lastPrice: value.last,
  bidVolume: 0,
  askVolume: 0,
  volume: value.volume,
  couponRate: value.coupon,
});

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof quotes>> {
  for await (const item of file.json(PATH)) yield toRecord(item, file);
}
