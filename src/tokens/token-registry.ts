import type { Awaitable } from '../shared/awaitable.ts';
import { parseRate } from '../shared/request-rate.ts';
import { system } from '../shared/system.ts';
import { type StoredToken, StoreUnavailableError, type TokenStore } from '../store/open-store.ts';
import { createPrincipal, isExpired, type LinkPrincipal, type Principal } from './principal.ts';
import { createScopes } from './scopes.ts';
import { findSourceKeys, type SharedKeys } from './shared-tokens.ts';
import { TokenLookup } from './token-lookup.ts';
import { hashTokenSecret, isIssuedCredential } from './token-secret.ts';

export type TokenRegistry = ReturnType<typeof createTokenRegistry>;

/** Knows credentials that others have issued. */
interface CredentialVerifier {
  /** The principal of one that was verified before, and is still valid. */
  find(credential: string): Principal | undefined;
  /** Undefined if it cannot be one of these. */
  lookUp(credential: string): Promise<Principal | undefined> | undefined;
}

/**
 * Creates an in-memory registry of the stored tokens and access links, of `API_TOKEN`, and of tokens
 * that OpenID providers vouch for.
 */
export function createTokenRegistry(
  store: TokenStore,
  apiToken: string | undefined,
  singleSignOn?: CredentialVerifier,
) {
  const principals = new PrincipalsByDigest();
  const unsavedUses = new UnsavedUses();
  const collectUses = () => unsavedUses.collect(principals.values());
  /** One read at a time, so that no read restores what a later one found revoked. */
  let lastRead: Promise<unknown> = Promise.resolve();
  let sourceKeys: SharedKeys | undefined;
  const read = (query: () => Promise<StoredToken[]>): Promise<StoredToken[]> => {
    const result = lastRead.then(query);
    lastRead = result.catch(() => {});
    return result;
  };
  const readAll = () => read(() => store.all());
  const lookup = new TokenLookup(async (digests) =>
    principals.addAll(toPrincipals(await read(() => store.findByDigest(digests)))),
  );
  return {
    /** The principal of a credential that is valid now: of a token or an access link. */
    authenticate: (credential: string) =>
      singleSignOn?.find(credential) ?? principals.authenticate(credential),
    /** The same, if it is in the store but not in memory, or has to be verified. */
    lookUp(credential: string): Awaitable<Principal | undefined> {
      const verified = singleSignOn?.lookUp(credential);
      if (verified) return verified;
      if (!isIssuedCredential(credential)) return undefined;
      const found = lookup.find(hashTokenSecret(credential));
      return found?.then(() => principals.authenticate(credential));
    },
    /** All tokens and links, those that ended too, as they are now. */
    readAll,
    /** The keys of the source of this server; undefined if it has none, or has not reached it yet. */
    getSourceKeys: () => sourceKeys,
    /** The principal of a token by its id, if it is valid now or unconfirmed. */
    findById: (id: string) => principals.findById(id),
    /** Whether the token of an earlier accepted principal is still valid. */
    isValid: (principal: Principal) => principals.isValid(principal),
    /** Reads the tokens and links again, to apply new and revoked ones. */
    async reload() {
      const stored = await readAll();
      sourceKeys = findSourceKeys(stored);
      const valid = toPrincipals(stored);
      collectUses();
      if (apiToken !== undefined) valid.set(hashTokenSecret(apiToken), { ...API_TOKEN_PRINCIPAL });
      principals.replaceAll(valid);
      lookup.resume();
    },
    /** Stores the uses of tokens that are idle now and, now and then, of the others. */
    async saveSettledUses() {
      collectUses();
      await unsavedUses.saveSettled(store);
    },
    async flushLastUsed() {
      collectUses();
      await unsavedUses.save(store);
    },
  };
}

/** Principals by the digests of their credentials. */
class PrincipalsByDigest {
  #principals = new Map<string, Principal>();
  /** Created on demand; dropped when principals change. */
  #byId: ReadonlyMap<string, Principal> | undefined;
  // Credentials accepted since principals were replaced, which need no hashing again. Invalid ones are always
  // hashed, so that response times reveal nothing about them.
  readonly #cache = new Map<string, Principal>();

  authenticate(credential: string): Principal | undefined {
    const principal = this.#cache.get(credential) ?? this.#findByDigest(credential);
    if (!principal) return undefined;
    if (isExpired(principal)) return principal.isLeased ? principal : undefined;
    principal.lastUsedAtMs = system.now();
    return principal;
  }

  isValid(principal: Principal): boolean {
    const current = principal.isOfProvider ? principal : this.findById(principal.id);
    return current !== undefined && !isExpired(current);
  }

  findById(id: string): Principal | undefined {
    this.#byId ??= new Map(Array.from(this.values(), (each) => [each.id, each]));
    const principal = this.#byId.get(id);
    return principal && isExpired(principal) && !principal.isLeased ? undefined : principal;
  }

  replaceAll(principals: Map<string, Principal>): void {
    this.#cache.clear();
    this.#byId = undefined;
    this.#principals = principals;
  }

  /** Keeps existing principals: their uses are not stored yet. */
  addAll(principals: ReadonlyMap<string, Principal>): void {
    this.#byId = undefined;
    for (const [digest, principal] of principals)
      if (!this.#principals.has(digest)) this.#principals.set(digest, principal);
  }

  values(): Iterable<Principal> {
    return this.#principals.values();
  }

  #findByDigest(credential: string): Principal | undefined {
    const principal = this.#principals.get(hashTokenSecret(credential));
    if (principal) this.#cache.set(credential, principal);
    return principal;
  }
}

/** A token that is idle for this long was used for the last time for now, which is stored. */
const IDLE_AFTER_MS = 300;
/** The uses of a token in constant use are stored this often. */
const MIN_SAVE_INTERVAL_MS = 10_000;

type UnsavedUse = Readonly<Record<'firstMs' | 'lastMs', number>>;

/** The last uses of tokens and links that are not stored yet. */
class UnsavedUses {
  readonly #uses = new Map<string, UnsavedUse>();

  collect(principals: Iterable<Principal>): void {
    for (const principal of principals) {
      const { id, lastUsedAtMs } = principal;
      if (lastUsedAtMs > 0 && id !== API_TOKEN_PRINCIPAL.id) this.#add(id, lastUsedAtMs);
      principal.lastUsedAtMs = 0;
    }
  }

  /** Stores the uses of tokens that are idle now and of those that have waited for long. */
  saveSettled(store: TokenStore): Promise<void> {
    const nowMs = system.now();
    const isSettled = ({ firstMs, lastMs }: UnsavedUse) =>
      nowMs - lastMs >= IDLE_AFTER_MS || nowMs - firstMs >= MIN_SAVE_INTERVAL_MS;
    return this.save(store, isSettled);
  }

  async save(store: TokenStore, isDue: (use: UnsavedUse) => boolean = () => true): Promise<void> {
    const due = [...this.#uses].filter(([, use]) => isDue(use));
    if (due.length === 0) return;
    for (const [id] of due) this.#uses.delete(id);
    try {
      const uses = due.map(([id, { lastMs }]) => [id, new Date(lastMs).toISOString()] as const);
      await store.recordLastUsed(new Map(uses));
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError)) throw cause;
      // The store is unreachable, full, or written by another process: the uses are stored later.
      for (const [id, { lastMs }] of due) this.#add(id, lastMs);
    }
  }

  #add(id: string, usedAtMs: number): void {
    const { firstMs, lastMs } = this.#uses.get(id) ?? { firstMs: usedAtMs, lastMs: usedAtMs };
    this.#uses.set(id, { firstMs, lastMs: Math.max(lastMs, usedAtMs) });
  }
}

const API_TOKEN_PRINCIPAL = createPrincipal('API_TOKEN', { rate: undefined, mayShare: true });

function toPrincipals(tokens: readonly StoredToken[]): Map<string, Principal> {
  const valid = tokens.filter(({ revokedAt }) => revokedAt === null);
  return new Map(valid.map((token) => [token.digest, toPrincipal(token)]));
}

function toPrincipal(token: StoredToken): Principal | LinkPrincipal {
  const { id, scopes, rate, expiresAt, target, mayShare } = token;
  const { mayFollowTokens, isOfSource, isLeased } = token;
  const principal = createPrincipal(id, {
    scopes: createScopes(scopes),
    rate: rate === null ? undefined : parseRate(rate),
    mayShare,
    mayFollowTokens,
    isOfSource,
    isLeased,
    ...(expiresAt !== null && { expiresAtMs: Date.parse(expiresAt) }),
  });
  return target === null ? principal : { ...principal, target };
}
