// A process that publishes one revision after another until it is stopped: `bun many-loads.ts URL`.
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore } from '../../src/store/open-store.ts';
import { quote } from './quote-fixture.ts';

const QUOTES = 500;

const store = await openStore(process.argv[2] ?? '', catalogue);
const publisher = store.publisher();
for (let load = 0; ; load++) {
  // Some are corrected, some are added.
  const records = Array.from({ length: QUOTES }, (_, index) =>
    quote({ symbol: `Q${load * 50 + index}`, ytm: 10 + (load % 20) }),
  );
  await publishRecords(publisher, { dataset: quotes, records, source: 'test', author: 'test' });
}
