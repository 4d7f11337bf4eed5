import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SCOPES } from '../catalogue/model/dataset.ts';
import type { TokenStore } from '../store/open-store.ts';
import { isActive, storeTokenDigest } from './issue-token.ts';
import { generateTokenSecret, hashTokenSecret, TOKEN_PATTERN } from './token-secret.ts';

/**
 * The token for the machine that the server runs on: made by the first start, and kept in a file
 * that only its owner can read. Undefined once it was revoked, until the file is removed.
 */
export async function ensureLocalToken(
  store: TokenStore,
  file: string,
): Promise<string | undefined> {
  const known = readTokenFile(file);
  const secret = known ?? writeTokenFile(file, generateTokenSecret());
  const digest = hashTokenSecret(secret);
  const isKnown = ({ digest: known }: { digest: string }) => known === digest;
  if (!(await store.all()).some(isKnown)) {
    // A new token, or one that outlived the database it was made for.
    const token = { name: 'local', scopes: SCOPES, rate: null, expiresAt: null };
    await storeTokenDigest(store, secret, token).catch((cause) => {
      // A token that nobody accepts is not to be found in the file later.
      if (known === undefined) rmSync(file, { force: true });
      throw cause;
    });
  }
  const token = (await store.all()).find(isKnown);
  return token && isActive(token) ? secret : undefined;
}

/** The token in the file; undefined where there is none, or no whole one. */
function readTokenFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  const secret = readFileSync(file, 'utf8').trim();
  if (TOKEN_PATTERN.test(secret)) return secret;
  rmSync(file);
  return undefined;
}

/** Keeps a token in the file, which appears whole; of two starts at once the first one's stands. */
function writeTokenFile(file: string, secret: string): string {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
    return secret;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    return readFileSync(file, 'utf8').trim();
  } finally {
    rmSync(draft);
  }
}
