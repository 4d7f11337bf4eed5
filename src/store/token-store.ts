/** Stores tokens, as digests only. Writing throws a StoreBusyError while a publisher has the lock. */
export interface TokenStore {
  all(): Promise<StoredToken[]>;
  /** Adds a token, unless its digest is stored already. */
  add(token: StoredToken): Promise<void>;
  /** Sets when a token stops being accepted. */
  setEnd(id: string, end: { revokedAt: string } | { expiresAt: string }): Promise<void>;
  /** Records when tokens were last used, by id. */
  recordLastUsed(uses: ReadonlyMap<string, string>): Promise<void>;
  close(): void;
}

export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly string[];
  readonly rate: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}
