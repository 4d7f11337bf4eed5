import { afterAll, beforeAll, expect } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { moveStore } from '../../src/store/move-store.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { publishHistory } from '../support/published-history.ts';
import { runTenor } from '../support/run-tenor.ts';
import {
  createStore,
  createTempFolder,
  type SqliteTestStore,
  type TestStore,
} from '../support/store.ts';

/** A file with a history, tokens and a link, for the tests of `tenor move`. */
export function useMoveSource() {
  let folder: string;
  let source: SqliteTestStore;
  let count = 0;
  beforeAll(async () => {
    folder = createTempFolder();
    source = await createStore();
    await publishHistory(source);
    const run = (...args: string[]) => runTenor(args, { DATABASE_URL: source.url });
    await run('token', 'create', '--name', 'a', '--rate', '5/min', '--expires', '90d');
    const { id } = JSON.parse((await run('token', 'create', '--name', 'b', '--json')).out);
    await run('token', 'revoke', id);
    await run('link', 'create', '/2.0/bnb/quote?limit=1', '--name', 'c');
    const tokens = source.tokens();
    await tokens.recordLastUsed(new Map([[id, '2026-01-01T00:00:00.000Z']]));
    tokens.close();
    const candidates = source.candidates();
    await candidates.setReview('quotes', 1);
    await run('retire', 'quotes', '--symbol', 'ZZ12TB140127', '--stage');
    candidates.close();
  });
  afterAll(async () => {
    await source.remove();
    rmSync(folder, { recursive: true });
  });
  return {
    source: () => source,
    folder: () => folder,
    newFile: () => `sqlite:${join(folder, `moved-${++count}.db`)}`,
  };
}

/**
 * Expects a move to notice a token of the source that is revoked at its end, and neither to hinder that
 * nor to mind that tokens are used.
 */
export async function expectRevocationNoticed(
  from: TestStore,
  newUrl: () => string,
): Promise<void> {
  const tokens = from.tokens();
  const options = { name: 'a', scopes: ['quotes'], rate: null, expiresAt: null } as const;
  const { id } = (await issueToken(tokens, options)).token;
  let calls = 0;
  const onUse = () => tokens.recordLastUsed(new Map([[id, new Date(++calls).toISOString()]]));
  const urls = { from: from.url, catalogue };
  await moveStore({ ...urls, to: newUrl(), onRows: onUse });
  const onLastRows = async () => {
    if (--calls === 0) await tokens.update(id, { revokedAt: new Date().toISOString() });
  };
  const moving = moveStore({ ...urls, to: newUrl(), onRows: onLastRows });
  await expect(moving).rejects.toThrow(
    `1 tokens or links of the source were issued, revoked or changed meanwhile: ${id}; run`,
  );
  tokens.close();
}

export const move = (from: string, to: string, ...args: string[]) =>
  runTenor(['move', '--from', from, '--to', to, ...args]);

/** Every row of data: all but the version of the schema, which only PostgreSQL has in a table. */
export async function dumpData(url: string): Promise<Record<string, string[]>> {
  const { tenor_schema: _, ...tables } = await dumpTables(url);
  return tables;
}
