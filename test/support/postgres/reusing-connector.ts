import type { SQL } from 'bun';
import {
  type Connector,
  createReadPool,
  createWriteConnection,
} from '../../../src/store/postgres/connection-pool.ts';

/**
 * Connections to one database that stores use one after another. A new connection reads about every
 * table and plans every statement first, which takes longer than most tests.
 */
export function createReusingConnector(): Connector {
  const idle = new Map<string, SQL[]>();
  const connect = (kind: string, create: () => SQL): SQL => {
    const unused = idle.getOrInsertComputed(kind, () => []);
    const pool = unused.pop() ?? create();
    return withCleanClose(pool, () => unused.push(pool));
  };
  return {
    createReadPool: (url, max, options) =>
      connect(`read ${max}`, () => createReadPool(url, max, options)),
    createWriteConnection: (url) => connect('write', () => createWriteConnection(url)),
  };
}

/** A pool that cleans its reserved connection instead of closing it, and is closed where that fails. */
function withCleanClose(pool: SQL, onClean: () => void): SQL {
  let reserved: Awaited<ReturnType<SQL['reserve']>> | undefined;
  let isClosed = false;
  const own: Partial<Record<string | symbol, unknown>> = {
    async reserve() {
      reserved = await pool.reserve();
      return reserved;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      try {
        await reserved?.unsafe(CLEAN_SQL).simple();
        await reserved?.release();
        onClean();
      } catch {
        await pool.close({ timeout: 0 });
      }
    },
  };
  return new Proxy(pool, {
    get(target, name) {
      const value = own[name] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What the end of a connection does as well. */
const CLEAN_SQL = 'ROLLBACK; SELECT pg_advisory_unlock_all(); RESET ALL; DISCARD TEMP';
