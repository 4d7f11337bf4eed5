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
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { isActive, storeTokenDigest } from './issue-token.ts';
import { EVERY_SCOPE } from './scopes.ts';
import { generateTokenSecret, hashTokenSecret, TOKEN_PATTERN } from './token-secret.ts';

export interface LocalToken {
  readonly secret: string;
  /** Whether this call created it. */
  readonly isNew: boolean;
}

/**
 * The token for use on the server's machine: created at the first start and stored in a file that only its
 * owner can read. Undefined after it was revoked, until the file is removed.
 */
export async function ensureLocalToken(
  store: TokenStore,
  file: string,
): Promise<LocalToken | undefined> {
  const existing = readTokenFile(file);
  const draft = generateTokenSecret();
  const secret = existing ?? writeTokenFile(file, draft);
  const digest = hashTokenSecret(secret);
  const hasDigest = (token: StoredToken) => token.digest === digest;
  if (!(await store.all()).some(hasDigest)) {
    // A new token, or one from another database.
    const token = {
      name: 'local',
      scopes: EVERY_SCOPE,
      rate: null,
      expiresAt: null,
      mayShare: true,
    };
    await storeTokenDigest(store, secret, token).catch((cause) => {
      // A token that no server accepts must not stay in the file.
      if (existing === undefined) rmSync(file, { force: true });
      throw cause;
    });
  }
  const token = (await store.all()).find(hasDigest);
  if (!token || !isActive(token)) return undefined;
  return { secret, isNew: secret === draft };
}

/** The token in the file; undefined if there is no valid one. */
function readTokenFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  const secret = readFileSync(file, 'utf8').trim();
  if (TOKEN_PATTERN.test(secret)) return secret;
  rmSync(file);
  return undefined;
}

/** Writes the file atomically; if two servers start at once, the first token wins. */
function writeTokenFile(file: string, secret: string): string {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
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
