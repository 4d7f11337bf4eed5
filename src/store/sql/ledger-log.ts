import { randomBytes } from 'node:crypto';
import { formatCheckpoint } from '../../ledger/note.ts';
import type { Hash } from '../../ledger/tree.ts';
import { FollowError, StoreUnusableError } from '../errors.ts';
import type { LedgerEntry, LedgerKey } from '../ledger.ts';
import { createSigner, isLineOf, type LedgerSigner, parseSigner } from '../ledger-signer.ts';
import type { KeyReplacement, PublisherOptions } from '../publisher.ts';
import type { StoredLogEntry, StoreQueries } from '../reader.ts';
import { findNewestRevision, readLedger } from './ledger.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import type { QuerySession, WriteSession } from './session.ts';
import {
  LEDGER_HASHES_TABLE,
  LEDGER_KEYS_TABLE,
  REVISION_DIGESTS_TABLE,
  SECRETS_TABLE,
} from './stored-tables.ts';

/*
 * The ledger as a transparency log: entry n - 1 is the digest of what the ledger says of revision n.
 * The hashes of all full subtrees are stored, so that tiles and proofs are read, not computed.
 */

function* findLedgerKeys(): QuerySteps<readonly LedgerKey[]> {
  const sql = `SELECT verifier_key AS key, size, note FROM ${LEDGER_KEYS_TABLE} ORDER BY number`;
  return yield* queryRows<LedgerKey>({ sql });
}

/** Of revisions in the ledger: a cluster stores checkpoints before their revisions are there. */
function* findCheckpoint(size?: number): QuerySteps<string | undefined> {
  const isOfSize = size === undefined ? '' : ' AND revision = ?';
  const sql = `SELECT checkpoint FROM ${REVISION_DIGESTS_TABLE}
    WHERE revision <= (SELECT max(revision) FROM revisions)${isOfSize} ORDER BY revision DESC LIMIT 1`;
  const values = size === undefined ? [] : [size];
  return (yield* queryRow<{ checkpoint: string }>({ sql, values }))?.checkpoint;
}

function* findTreeHashes(level: number, position: number, count: number): QuerySteps<Hash[]> {
  const size = Math.floor((yield* findNewestRevision()) / 2 ** level);
  const rows = yield* queryRows<{ hash: string }>({
    sql: `SELECT hash FROM ${LEDGER_HASHES_TABLE}
      WHERE level = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal`,
    values: [level, position, Math.min(position + count, size)],
  });
  return rows.map(({ hash }) => parseHash(hash));
}

/** Without a salt, `changes` is the digest of an entry that may not be read if it is followed. */
type RevisionDigest = { readonly salt: string; readonly changes: string };

function* findLogEntry(revision: number): QuerySteps<StoredLogEntry | undefined> {
  const sql = `SELECT salt, changes FROM ${REVISION_DIGESTS_TABLE} WHERE revision = ?`;
  const digest = yield* queryRow<RevisionDigest>({ sql, values: [revision] });
  if (digest?.salt === '') return { text: null, digest: parseHash(digest.changes) };
  // What was altered is read as well: it is not what the log has.
  const [entry] = digest ? yield* readLedger([revision - 1, revision]) : [];
  const text = entry && digest && formatLogEntry(entry, digest);
  return text === undefined ? undefined : { text, digest: sha256(Buffer.from(text)) };
}

/** The revision after another one whose entry has a salt. */
function* findRevisionBySalt(salt: string, after: number): QuerySteps<number | undefined> {
  const sql = `SELECT revision FROM ${REVISION_DIGESTS_TABLE} WHERE revision > ? AND salt = ?`;
  return (yield* queryRow<{ revision: number }>({ sql, values: [after, salt] }))?.revision;
}

function parseHash(hex: string): Hash {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function createLogQueries(
  session: Pick<QuerySession, 'run'>,
): Pick<StoreQueries, 'checkpoint' | 'treeHashes' | 'ledgerKeys' | 'logEntry' | 'findBySalt'> {
  return {
    checkpoint: async (size) =>
      session.run(() => findCheckpoint(size), { isSingleStatement: true }),
    treeHashes: async (level, position, count) =>
      session.run(() => findTreeHashes(level, position, count)),
    ledgerKeys: async () => session.run(findLedgerKeys, { isSingleStatement: true }),
    findBySalt: async (salt, after) =>
      session.run(() => findRevisionBySalt(salt, after), { isSingleStatement: true }),
    logEntry: async (revision) => session.run(() => findLogEntry(revision), { asOf: revision }),
  };
}

/** The text whose digest is in the log. */
export function formatLogEntry(entry: LedgerEntry, { salt, changes }: RevisionDigest): string {
  const { revision, dataset, publishedAt, source, files, author, sample } = entry;
  const { added, corrected, retired, unchanged, report, options } = entry;
  const origin = { revision, dataset, publishedAt, source, files, author, sample };
  const counts = { added, corrected, retired, unchanged };
  return JSON.stringify({ ...origin, ...counts, report, options, salt, changes });
}

/** The hash of a full subtree. */
interface Subtree {
  readonly level: number;
  readonly position: number;
  readonly hash: Uint8Array;
}

const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)];

export function sha256(...parts: readonly Uint8Array[]): Hash {
  return new Uint8Array(new Bun.CryptoHasher('sha256').update(Buffer.concat(parts)).digest());
}

/** The log as one transaction adds to it. */
export class LedgerLog {
  #size = 0;
  /** Those that make up the tree, the smallest first. */
  readonly #subtrees: Subtree[] = [];
  /** Those that have ever signed it, and the one that does. */
  #keyCount = 0;
  #key = '';
  /** That of the copy which the database began as, by a backup or an accepted loss; 0 if by none. */
  #copied = 0;
  #signer: LedgerSigner | undefined;
  #saveSigner: (() => Promise<void>) | undefined;

  private constructor(
    private readonly session: WriteSession,
    private readonly options: PublisherOptions,
  ) {}

  /** Creates the log if there is none. */
  static async open(session: WriteSession, options: PublisherOptions): Promise<LedgerLog> {
    const log = new LedgerLog(session, options);
    const newest = await session.run(() => log.#readTree());
    if (log.#keyCount === 0) {
      const signer = createSigner(options.ledgerName ?? createLedgerName());
      await log.#addKey({ key: signer.key, size: 0, note: null }, signer);
      log.#saveSigner = () => session.signers.add(signer.line);
    }
    if (log.#size >= newest) return log;
    throw new StoreUnusableError(
      `the log of the ledger has only ${log.#size} of ${newest} revisions; restore a backup`,
    );
  }

  /**
   * The log of another database, up to the revision before the one that is followed. Takes over the
   * keys that sign it since then.
   */
  static async openFollowed(session: WriteSession, keys: readonly LedgerKey[]) {
    const log = new LedgerLog(session, {});
    const newest = await session.run(() => log.#readTree());
    const known = keys[log.#keyCount - 1];
    if (log.#size < newest || (log.#keyCount > 0 && known?.key !== log.#key))
      throw new FollowError(
        'unknown-key',
        `the database has revisions that the log of ${keys.at(-1)?.key} does not have: follow it with an empty database`,
      );
    for (const key of keys.slice(log.#keyCount)) await log.#addKey(key);
    return log;
  }

  get size(): number {
    return this.#size;
  }

  /** Says that the database is a copy that was restored, and nothing was published to it yet. */
  static async noteRestored(session: WriteSession, options: PublisherOptions): Promise<void> {
    const log = new LedgerLog(session, options);
    await session.run(() => log.#readTree());
    await log.#noteRestored();
  }

  async #noteRestored(): Promise<void> {
    if (this.#size === this.#copied && (await this.#findCommonSize()) !== undefined)
      this.options.onRestored?.(
        `this database was restored with ${this.#size} revisions: if others were published since, and are lost, run tenor ledger restart first, or everyone who verifies gets an alarm`,
      );
  }

  /** Adds the next revision, and signs the log that ends with it. */
  async append(
    entry: LedgerEntry,
    changes: string,
    saltBytes = this.options.createSalt?.() ?? randomBytes(16),
  ): Promise<void> {
    const salt = Buffer.from(saltBytes).toString('hex');
    await this.#noteRestored();
    const added = this.#grow(sha256(Buffer.from(formatLogEntry(entry, { salt, changes }))));
    const { revision } = entry;
    const checkpoint = (await this.#getSigner()).signNote(this.#formatCheckpoint());
    await this.session.run(() => insertDigest({ revision, salt, changes, checkpoint }, added));
  }

  /** Adds the next revision of another log, whose checkpoint must be that of the log with it. */
  async appendSigned(revision: number, { salt, changes, digest }: LogDigest, checkpoint: string) {
    const added = this.#grow(digest);
    this.#assertCheckpoint(checkpoint);
    await this.session.run(() => insertDigest({ revision, salt, changes, checkpoint }, added));
  }

  /** Takes over another checkpoint of the same log. */
  async replaceCheckpoint(checkpoint: string): Promise<void> {
    this.#assertCheckpoint(checkpoint);
    const sql = `UPDATE ${REVISION_DIGESTS_TABLE} SET checkpoint = ? WHERE revision = ?`;
    await this.session.run(() => queryRows({ sql, values: [checkpoint, this.#size] }));
  }

  #assertCheckpoint(checkpoint: string): void {
    // Revisions from before a restart have the name of the earlier log.
    const [origin] = checkpoint.split('\n');
    if (checkpoint.startsWith(this.#formatCheckpoint(origin))) return;
    throw new FollowError(
      'rewritten',
      `the log that is followed is not the one whose first revisions are stored: with revision ${this.#size} as it is now, its checkpoint is another`,
    );
  }

  /** Adds a digest as the last leaf; returns the subtrees that it completes. */
  #grow(digest: Uint8Array): Subtree[] {
    const added: Subtree[] = [{ level: 0, position: this.#size, hash: sha256(LEAF, digest) }];
    for (let last = added[0] as Subtree; this.#subtrees[0]?.level === last.level; ) {
      const { level, position, hash } = this.#subtrees.shift() as Subtree;
      last = { level: level + 1, position: position / 2, hash: sha256(NODE, hash, last.hash) };
      added.push(last);
    }
    this.#subtrees.unshift(added.at(-1) as Subtree);
    this.#size++;
    return added;
  }

  /**
   * Lets another key sign from now on, which the one before signs. With another name, a new log
   * begins, which has the entries of this one up to a size.
   */
  async replaceKey({ name, size, isLost }: KeyReplacement): Promise<LedgerKey> {
    const { session } = this;
    const signer = createSigner(name ?? this.#origin);
    const common = name === undefined ? undefined : await this.#findCommonSize();
    const keySize = size ?? common ?? this.#size;
    const text = `tenor ledger key\n${signer.key}\n${keySize}\n`;
    if (!isLost) await this.#getSigner();
    // By other keys as well: verifiers may know one that a restored backup does not.
    const note = signWithAll(await session.signers.read(), text);
    const key = { key: signer.key, size: keySize, note };
    await this.#addKey(key, signer);
    await this.replaceCheckpoint(signer.signNote(this.#formatCheckpoint()));
    this.#saveSigner = () => session.signers.replaceAll(signer.line);
    return key;
  }

  /** The size that the copy had which was restored, unless a log was begun after that. */
  async #findCommonSize(): Promise<number | undefined> {
    const keys = await this.session.run(findLedgerKeys);
    const { size = 0 } = keys.find(({ key }) => key.startsWith(`${this.#origin}+`)) ?? {};
    return this.#copied > size ? this.#copied : undefined;
  }

  /** Stores a new private key, as late as possible: the transaction may be abandoned. */
  async saveSigner(): Promise<void> {
    await this.#saveSigner?.();
  }

  async #getSigner(): Promise<LedgerSigner> {
    if (this.#signer) return this.#signer;
    const { signers } = this.session;
    for (const line of await signers.read())
      if (isLineOf(line, this.#key)) this.#signer ??= parseSigner(line);
    if (this.#signer?.key === this.#key) return this.#signer;
    throw new StoreUnusableError(
      `nothing was published: the private key of the ledger (${this.#key}) is not in ${signers.location}. A database that follows another publishes nothing; otherwise add it from a backup to those that are there, or let a new log begin: tenor ledger restart --lost-key`,
    );
  }

  async #addKey(key: LedgerKey, signer?: LedgerSigner): Promise<void> {
    const values = [++this.#keyCount, key.key, key.size, key.note];
    const sql = `INSERT INTO ${LEDGER_KEYS_TABLE} (number, verifier_key, size, note) VALUES (?, ?, ?, ?)`;
    await this.session.run(() => queryRows({ sql, values }));
    this.#signer = signer;
    this.#key = key.key;
  }

  get #origin(): string {
    return this.#key.split('+')[0] ?? '';
  }

  /** Reads what the log goes on from, in few statements; returns the newest revision. */
  *#readTree(): QuerySteps<number> {
    type End = Record<'newest' | 'size' | 'key', unknown>;
    const end = yield* queryRow<End & { keys: number; copied: Uint8Array | null }>({
      sql: `SELECT (SELECT max(revision) FROM revisions) AS newest,
        (SELECT max(revision) FROM ${REVISION_DIGESTS_TABLE}) AS size,
        (SELECT count(*) FROM ${LEDGER_KEYS_TABLE}) AS keys,
        (SELECT value FROM ${SECRETS_TABLE} WHERE name = 'copied') AS copied,
        (SELECT verifier_key FROM ${LEDGER_KEYS_TABLE} ORDER BY number DESC LIMIT 1) AS key`,
    });
    const newest = Number(end?.newest ?? 0);
    this.#size = Number(end?.size ?? 0);
    this.#copied = Number(Buffer.from(end?.copied ?? []).toString());
    this.#keyCount = Number(end?.keys);
    this.#key = String(end?.key ?? '');
    const subtrees: [level: number, position: number][] = [];
    for (let level = 0; 2 ** level <= this.#size; level++) {
      const position = Math.floor(this.#size / 2 ** level) - 1;
      if (position % 2 === 0) subtrees.push([level, position]);
    }
    if (subtrees.length === 0) return newest;
    const rows = yield* queryRows<Omit<Subtree, 'hash'> & { readonly hash: string }>({
      sql: `SELECT level, ordinal AS position, hash FROM ${LEDGER_HASHES_TABLE}
        WHERE ${subtrees.map(() => '(level = ? AND ordinal = ?)').join(' OR ')} ORDER BY level`,
      values: subtrees.flat(),
    });
    if (rows.length < subtrees.length)
      throw new StoreUnusableError('the log of the ledger lacks hashes; tenor check names them');
    this.#subtrees.push(...rows.map((row) => ({ ...row, hash: Buffer.from(row.hash, 'hex') })));
    return newest;
  }

  #formatCheckpoint(origin = this.#origin): string {
    const [smallest, ...others] = this.#subtrees;
    const root = others.reduce(
      (right, { hash }) => sha256(NODE, hash, right),
      smallest?.hash ?? sha256(),
    );
    return formatCheckpoint({ origin, size: this.#size, root: new Uint8Array(root) });
  }
}

function signWithAll(lines: readonly string[], text: string): string | null {
  const notes = lines.flatMap((line) => parseSigner(line)?.signNote(text) ?? []);
  if (notes.length === 0) return null;
  return `${text}\n${notes.map((note) => note.slice(text.length + 1)).join('')}`;
}

/** The digest of an entry, and what it is made of besides the ledger. */
export interface LogDigest extends RevisionDigest {
  readonly digest: Uint8Array;
}

export function createLedgerName(): string {
  return `tenor/${randomBytes(8).toString('hex')}`;
}

interface DigestRow extends RevisionDigest {
  readonly revision: number;
  readonly checkpoint: string;
}

function* insertDigest(
  { revision, salt, changes, checkpoint }: DigestRow,
  subtrees: readonly Subtree[],
): QuerySteps<void> {
  yield {
    sql: `INSERT INTO ${REVISION_DIGESTS_TABLE} (revision, changes, salt, checkpoint) VALUES (?, ?, ?, ?)`,
    values: [revision, changes, salt, checkpoint],
  };
  yield {
    sql: `INSERT INTO ${LEDGER_HASHES_TABLE} VALUES ${subtrees.map(() => '(?, ?, ?)').join(', ')}`,
    values: subtrees.flatMap(({ level, position, hash }) => [
      level,
      position,
      Buffer.from(hash).toString('hex'),
    ]),
  };
}
