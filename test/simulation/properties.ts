import type { CheckedWorld } from './checked-world.ts';
import type { Query } from './queries.ts';
import type { SimulatedToken } from './simulated-tokens.ts';

/** A request and its response, as a client saw them. */
export interface Exchanged {
  readonly query: Query;
  readonly token: SimulatedToken;
  readonly server: number;
  readonly startedMs: number;
  /** When the client learnt what the request builds on: a cursor, a revision. */
  readonly basisMs: number;
  readonly receivedMs: number;
  readonly status: number;
  /** `Tenor-Revision` of the response; undefined where it has none. */
  readonly revision: number | undefined;
  /** When that was published, by `Tenor-Published-At`. */
  readonly publishedAt?: string | undefined;
  readonly body: string;
  /** `as_of` of the request, where it is the number of a revision. */
  readonly asOf?: number;
  /** `as_of` of the request, where it is an instant. */
  readonly instantMs?: number | undefined;
  /** How many records match, where that was asked for. */
  readonly total?: string | null | undefined;
  /** `Tenor-Revision` of the request. */
  readonly required?: number;
  /** The body of the same request before, where the client has one. */
  readonly known?: string | undefined;
}

/** A revoked token is refused after this time, by the contract. */
const REVOKED_MS = 5_000;
/** A new token is in the memory of every server after this time. */
const ISSUED_MS = 1_500;
/** Servers that a fault has ended take a moment to notice that. */
const AFTER_FAULT_MS = 1_500;

/** Safety: what must hold for each response, whatever happens. */
export function checkResponse(world: CheckedWorld, exchanged: Exchanged): void {
  const { query, token, status } = exchanged;
  const isRefused = token.isLink ? status === 404 : status === 401;
  if (isRefused) {
    checkRefusal(world, exchanged);
    return;
  }
  checkAcceptance(world, exchanged);
  const { scopes } = token.stored;
  if (query.scope !== undefined && !scopes.includes(query.scope)) {
    if (status !== 403 && status !== 503)
      report(world, 'scopes hold', exchanged, `got ${status} without the scope`);
    return;
  }
  if (status === 200 || status === 304) checkContent(world, exchanged);
  else checkFailure(world, exchanged);
}

/** Each response is what its revision has; the revision is new enough, and the requested one. */
function checkContent(world: CheckedWorld, exchanged: Exchanged): void {
  const { query, token, status, revision, startedMs, receivedMs, asOf, required, basisMs } =
    exchanged;
  const { database } = world;
  const body = status === 304 ? exchanged.known : exchanged.body;
  if (revision === undefined || body === undefined) {
    report(world, 'responses have a revision and a body', exchanged, `${status} has not`);
    return;
  }
  const shown = query.select ? query.select(body) : body;
  const models = database.findModels(revision, startedMs, receivedMs);
  const expected = models.map((model) => query.expect(model, token.stored.scopes));
  if (database.isTorn(startedMs, receivedMs)) return;
  if (!expected.includes(shown)) {
    const message = `revision ${revision}: ${shown} instead of ${expected.join(' or ') || 'nothing'}`;
    report(world, 'each response is what its revision has', exchanged, message);
    return;
  }
  const instants = models
    .filter((_, index) => expected[index] === shown)
    .map(({ ledger }) => ledger[revision - 1]?.publishedAtMs || Number.NaN);
  const publishedMs = Date.parse(exchanged.publishedAt ?? '');
  // The results of tools have none; nor is it known of all revisions when they were published.
  if (!query.readRevision && !instants.some((instantMs) => Object.is(instantMs, publishedMs)))
    report(
      world,
      'Tenor-Published-At holds',
      exchanged,
      `${exchanged.publishedAt}, not ${instants.join(' or ')}`,
    );
  const totals = models.map((model) => String(query.listAll?.(model).length));
  if (exchanged.total !== undefined && status === 200 && !totals.includes(`${exchanged.total}`))
    report(world, 'counts hold', exchanged, `${exchanged.total}, not ${totals.join(' or ')}`);
  if (exchanged.instantMs !== undefined) return;
  if (asOf !== undefined) {
    if (revision !== asOf)
      report(world, 'as_of holds', exchanged, `revision ${revision} as of ${asOf}`);
    return;
  }
  // Pages stay with the revision of the first one.
  if (query.target.includes('cursor=')) return;
  const oldest = database.findRequiredRevision(startedMs);
  if (revision < oldest)
    report(world, 'publications are seen', exchanged, `revision ${revision}, not ${oldest}`);
  if (required !== undefined && revision < required && !database.isReplacedSince(basisMs))
    report(world, 'Tenor-Revision holds', exchanged, `revision ${revision}, not ${required}`);
}

/**
 * A response as of an instant is of the newest revision that was published by then, even one that was
 * being committed: it never changes.
 */
export function checkInstant(world: CheckedWorld, exchanged: Exchanged): void {
  const { database } = world;
  const { startedMs, receivedMs, instantMs = 0, revision } = exchanged;
  const isCertain = world.isCalm(startedMs - AFTER_FAULT_MS, receivedMs);
  if (!isCertain || world.clockChangeMs > 0 || database.isReplacedSince(startedMs)) return;
  const { ledger } = database.newest;
  // Where it is not known when revisions were published.
  if (ledger.some(({ publishedAtMs }) => publishedAtMs === 0)) return;
  const expected = ledger.filter(({ publishedAtMs }) => publishedAtMs <= instantMs).length;
  if (revision !== expected)
    report(world, 'as-of responses never change', exchanged, `${revision}, then ${expected}`);
}

/** A valid token is refused only where the store cannot say that it is one. */
function checkRefusal(world: CheckedWorld, exchanged: Exchanged): void {
  const { token, startedMs, receivedMs } = exchanged;
  if (token.endMs <= receivedMs + world.clockChangeMs) return;
  const isKnown = world.isNoticed(token.createdMs, startedMs, ISSUED_MS);
  const isReadable = world.isCalm(startedMs - AFTER_FAULT_MS, receivedMs);
  if (isKnown || isReadable)
    report(world, 'valid tokens are accepted', exchanged, `${token.stored.id} was refused`);
}

/** A revoked or expired token is refused within its time. */
function checkAcceptance(world: CheckedWorld, exchanged: Exchanged): void {
  const { token, startedMs } = exchanged;
  const { stored, endMs, expiresMs } = token;
  const isExpired = startedMs > expiresMs + world.clockChangeMs + 1;
  const isRevoked = endMs < expiresMs && world.isNoticed(endMs, startedMs, REVOKED_MS);
  if (isRevoked || isExpired)
    report(world, 'ended tokens are refused', exchanged, `${stored.id} was accepted`);
}

/** Requests fail only while something is wrong. */
function checkFailure(world: CheckedWorld, exchanged: Exchanged): void {
  const { query, status, startedMs, basisMs, receivedMs, body, asOf = 0 } = exchanged;
  const isReplaced = world.database.isReplacedSince(basisMs);
  const isExcused =
    (status === 503 && !world.isCalm(startedMs - AFTER_FAULT_MS, receivedMs)) ||
    // A revision that a server need not know of yet.
    (status === 400 && asOf > world.database.findRequiredRevision(startedMs)) ||
    (status === 500 && !world.isCalm(startedMs - AFTER_FAULT_MS, receivedMs, ['import'])) ||
    // Some workers know the revisions that were lost, some those that were published instead.
    (status === 400 &&
      query.target.includes('cursor=') &&
      !world.isCalm(basisMs, receivedMs, ['lost revisions'])) ||
    // A revision or a cursor of the database that was there before.
    ((status === 503 || status === 400 || status === 404) && isReplaced);
  if (!isExcused) report(world, 'requests succeed', exchanged, `${status} ${body}`);
}

export function report(
  world: CheckedWorld,
  property: string,
  { query, token, server, startedMs, receivedMs, required, asOf }: Exchanged,
  message: string,
): void {
  const times = `${startedMs.toFixed(1)} to ${receivedMs.toFixed(1)} ms`;
  const pins = `${required === undefined ? '' : ` Tenor-Revision ${required}`}${asOf === undefined ? '' : ` as of ${asOf}`}`;
  world.fail(
    property,
    `${query.target}${pins} of server${server} with ${token.stored.id}, ${times}: ${message}`,
  );
}
