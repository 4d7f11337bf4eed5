import {
  Tenor,
  TenorError,
  type Verification,
  VerificationError,
  type VerifyOptions,
} from '../../clients/typescript/src/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { HISTORY } from '../support/published-ledger.ts';
import type { TestStore } from '../support/store.ts';
import type { Rewriting } from './rewritings.ts';

/** The other datasets have no records. */
const DATASETS = [...new Set(HISTORY.map(({ dataset }) => dataset.name))];

/** Verifies a store as a client of its server does, of which nothing is kept. */
export async function verifyStore(
  store: TestStore,
  options: VerifyOptions = {},
  [path, alter]: Rewriting['tamper'] | [] = [],
): Promise<Verification> {
  const server = await createInProcessServer(store, catalogue);
  const client = new Tenor({
    baseUrl: 'http://localhost',
    token: 'test',
    tries: 1,
    async fetch(url, init) {
      const { pathname, search } = new URL(url);
      const response = await server.get(pathname + search, init?.headers);
      if (!path?.test(pathname)) return response;
      const altered = await alter?.(Buffer.from(await response.arrayBuffer()));
      return altered instanceof Response ? altered : new Response(altered, response);
    },
  });
  try {
    return await client.verify({ datasets: DATASETS, ...options });
  } finally {
    server.close();
  }
}

/** The problems that a client finds, without their sentences. */
export async function findProblems(
  ...call: Parameters<typeof verifyStore>
): Promise<Rewriting['problem'][]> {
  try {
    await verifyStore(...call);
    return [];
  } catch (cause) {
    if (cause instanceof TenorError && cause.kind === 'behind') return [{ problem: 'behind' }];
    if (!(cause instanceof VerificationError)) throw cause;
    return cause.problems.map(({ message: _, restart: __, ...problem }) => problem);
  }
}

/** The faults that `tenor check` finds. */
export async function findFaults(store: TestStore): Promise<readonly string[]> {
  const inspector = store.inspector();
  try {
    return (await checkDatabase(inspector, catalogue)).faults;
  } finally {
    inspector.close();
  }
}
