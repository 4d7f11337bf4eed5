import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { formatDay } from '../../src/shared/calendar.ts';
import { openStore } from '../../src/store/open-store.ts';
import { Model } from '../../test/simulation/model.ts';

const SECURITIES = 100;
/** In 2024. */
const LAST_DAY = 20_000;

/** Publishes a first revision of quotes, which make loads and exports take a while. */
export async function publishOlderQuotes(url: string, days: number): Promise<Model> {
  const records = Array.from({ length: days * SECURITIES }, (_, index) => buildQuote(index));
  const publisher = (await openStore(url, catalogue)).publisher();
  const origin = { source: 'publication 1', author: 'bench' };
  await publishRecords(publisher, { dataset: quotes, records, ...origin });
  publisher.close();
  const lines = records.map((record) => `${serializeRecord(quotes, record)}\n`);
  return Model.withOlderQuotes(lines.join(''));
}

/** Newest first, then by symbol, as exports are. */
function buildQuote(index: number) {
  const symbol = `Z${String(index % SECURITIES).padStart(4, '0')}`;
  const date = formatDay(LAST_DAY - Math.floor(index / SECURITIES));
  return { ...quotes.example, date, symbol, isin: `ZZ00000${symbol}` };
}
