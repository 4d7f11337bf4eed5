import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SCOPES } from '../catalogue/dataset.ts';
import type { TokenStore } from '../store/index.ts';
import { isLive, issue } from './issue.ts';
import { digestOf } from './secret.ts';

/**
 * The token for the machine that the server runs on: made by the first start, and kept in a file
 * that only its owner can read. Undefined once it was revoked, until the file is removed.
 */
export async function localToken(store: TokenStore, file: string): Promise<string | undefined> {
  if (!existsSync(file)) {
    const terms = { name: 'local', scopes: SCOPES, rate: null, expiresAt: null };
    const { secret } = await issue(store, terms);
    // `wx` fails rather than follow a link or share a file that appeared meanwhile.
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  }
  const secret = readFileSync(file, 'utf8').trim();
  const digest = digestOf(secret);
  const known = (await store.all()).find((token) => token.digest === digest);
  return known && isLive(known) ? secret : undefined;
}
