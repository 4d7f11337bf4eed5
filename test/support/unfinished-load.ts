// A process that publishes some quotes and then waits for more: `bun unfinished-load.ts URL`.
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { encodeRow } from './publish-at.ts';

async function* unfinishedRows() {
  for (let batch = 0; batch < 3; batch++) {
    yield Array.from({ length: 100 }, (_, index) =>
      encodeRow(quotes, { ...quotes.example, symbol: `PART${100 * batch + index}` }),
    );
  }
  await Bun.sleep(60_000);
}

const store = await openStore(process.argv[2] ?? '', catalogue);
const publication = { dataset: quotes, source: 'unfinished', author: 'test' };
await store.publisher().publish({ ...publication, rows: unfinishedRows() });
