import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { publishMillion } from '../million-quotes.ts';
import { getBenchServer } from './bench-server.ts';

/** Opens the 1,000,000 quotes on PostgreSQL, created once per run. */
export function openPostgresMillionQuotes(): Promise<Store & { readonly url: string }> {
  storePromise ??= createStore();
  return storePromise;
}

let storePromise: ReturnType<typeof createStore> | undefined;

async function createStore(): Promise<Store & { readonly url: string }> {
  const url = await (await getBenchServer()).createDatabase();
  console.error('creating a PostgreSQL database of 1,000,000 quotes');
  const store = await openStore(url, catalogue);
  const publisher = store.publisher();
  await publishMillion(publisher);
  publisher.close();
  const pool = new SQL(url, { max: 1 });
  await pool.unsafe('VACUUM ANALYZE quotes_now');
  await pool.close();
  return { ...store, url };
}
