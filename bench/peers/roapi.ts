import { findFreePort } from '../../test/support/free-port.ts';
import { type Peer, startPeer } from './peer.ts';

/**
 * At its best: the whole table in memory, which is several times as fast as from the file, and no
 * log. It has no indexes and checks no token.
 */
export const roapi: Peer = {
  name: 'ROAPI',
  package: 'roapi==0.12.7',
  command: 'roapi',
  aim: '≥ 60',
  async start(command, { parquet }) {
    const address = () => `127.0.0.1:${findFreePort()}`;
    const http = address();
    const others = ['--addr-postgres', address(), '--addr-flight-sql', address()];
    return startPeer(
      [command, '--addr-http', http, ...others, '--table', `quotes=${parquet}`],
      `http://${http}`,
      { RUST_LOG: 'error' },
    );
  },
  targets: {
    history: (symbol, from, to) =>
      `${PATH}?${filter('symbol', '', symbol)}&${filter('date', 'gte', from)}&${filter('date', 'lte', to)}&sort=-date&limit=100`,
    snapshot: (day, limit) => `${PATH}?${filter('date', '', day)}&sort=symbol&limit=${limit}`,
  },
};

const PATH = '/api/tables/quotes';

/** A condition such as filter[date]gte='2026-01-05'. */
function filter(field: string, operator: string, value: string): string {
  return `filter%5B${field}%5D${operator}=%27${value}%27`;
}
