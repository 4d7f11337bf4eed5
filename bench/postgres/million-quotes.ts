import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { publishMillion } from '../million-quotes.ts';
import { benchServer } from './bench-server.ts';

/** The 1,000,000 quotes on PostgreSQL, made once in a run. */
export function millionOnPostgres(): Promise<Store & { readonly url: string }> {
  made ??= make();
  return made;
}

let made: ReturnType<typeof make> | undefined;

async function make(): Promise<Store & { readonly url: string }> {
  const url = await (await benchServer()).createDatabase();
  console.error('making a PostgreSQL database of 1,000,000 quotes, for this run');
  const store = await openStore(url, catalogue);
  const publisher = store.publisher();
  await publishMillion(publisher);
  publisher.close();
  const pool = new SQL(url, { max: 1 });
  await pool.unsafe('VACUUM ANALYZE quotes_now');
  await pool.close();
  return { ...store, url };
}
