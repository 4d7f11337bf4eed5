import { basename } from 'node:path';
import { findFreePort } from '../../test/support/free-port.ts';
import { type Peer, startPeer } from './peer.ts';

/** The name of the database file, which is part of every path. */
export const DATASETTE_FILE = 'quotes.db';

/**
 * At its best: an immutable file, so that counts are known, the index with all fields, as much page
 * cache as Tenor, rows as an array, and nothing counted or suggested. It checks no token.
 */
export const datasette: Peer = {
  name: 'Datasette',
  package: 'datasette==0.65.5',
  command: 'datasette',
  aim: '≥ 60',
  async start(command, { sqlite }) {
    const port = findFreePort();
    const settings = { cache_size_kb: '32768', suggest_facets: 'off', sql_time_limit_ms: '10000' };
    const options = Object.entries(settings).flatMap(([name, value]) => ['--setting', name, value]);
    return startPeer(
      [command, 'serve', '--immutable', sqlite, '--port', String(port), ...options],
      `http://127.0.0.1:${port}`,
    );
  },
  targets: {
    history: (symbol, from, to) =>
      `${PATH}?symbol=${symbol}&date__gte=${from}&date__lte=${to}&_sort_desc=date&_size=100${OPTIONS}`,
    snapshot: (day, limit) => `${PATH}?date=${day}&_sort=symbol&_size=${limit}${OPTIONS}`,
  },
};

const PATH = `/${basename(DATASETTE_FILE, '.db')}/quotes.json`;
const OPTIONS = '&_shape=array&_nocount=1&_nofacet=1';
