import { randomBytes } from 'node:crypto';
import { formatCheckpoint } from '../../../clients/typescript/src/ledger/note.ts';
import type { Hash } from '../../../clients/typescript/src/ledger/tree.ts';
import { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { ChangeDigest } from '../change-lines.ts';
import { StoreUnusableError } from '../errors.ts';
import type { LedgerEntry, LedgerKey } from '../ledger.ts';
import { createSigner, isLineOf, type LedgerSigner, parseSigner } from '../ledger-signer.ts';
import type { KeyReplacement, PublisherOptions } from '../publisher.ts';
import type { NetChanges, StoreQueries } from '../reader.ts';
import type { RecordKey } from '../rows.ts';
import { findDeclarations } from './declarations.ts';
import { findNewestRevision, readLedger } from './ledger.ts';
import { findNetChanges } from './net-changes.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import type { QuerySession, WriteSession } from './session.ts';
import { LEDGER_HASHES_TABLE, LEDGER_KEYS_TABLE, REVISION_DIGESTS_TABLE } from './stored-tables.ts';

/*
 * The ledger as a transparency log: entry n - 1 is the digest of what the ledger says of revision n.
 * The hashes of all full subtrees are stored, so that tiles and proofs are read, not computed.
 */

function* findLedgerKeys(): QuerySteps<readonly LedgerKey[]> {
  const sql = `SELECT verifier_key AS key, size, note FROM ${LEDGER_KEYS_TABLE} ORDER BY number`;
  return yield* queryRows<LedgerKey>({ sql });
}

/** Of revisions in the ledger: a cluster stores checkpoints before their revisions are there. */
function* findCheckpoint(): QuerySteps<string | undefined> {
  const sql = `SELECT checkpoint FROM ${REVISION_DIGESTS_TABLE}
    WHERE revision <= (SELECT max(revision) FROM revisions) ORDER BY revision DESC LIMIT 1`;
  return (yield* queryRow<{ checkpoint: string }>({ sql }))?.checkpoint;
}

function* findTreeHashes(level: number, position: number, count: number): QuerySteps<Hash[]> {
  const size = Math.floor((yield* findNewestRevision()) / 2 ** level);
  const rows = yield* queryRows<{ hash: string }>({
    sql: `SELECT hash FROM ${LEDGER_HASHES_TABLE}
      WHERE level = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal`,
    values: [level, position, Math.min(position + count, size)],
  });
  return rows.map(({ hash }) => new Uint8Array(Buffer.from(hash, 'hex')));
}

type RevisionDigest = { readonly salt: string; readonly changes: string };

function* findLogEntry(revision: number): QuerySteps<string | undefined> {
  const sql = `SELECT salt, changes FROM ${REVISION_DIGESTS_TABLE} WHERE revision = ?`;
  const digest = yield* queryRow<RevisionDigest>({ sql, values: [revision] });
  // What was altered is read as well: it is not what the log has.
  const [entry] = digest ? yield* readLedger([revision - 1, revision]) : [];
  return entry && digest && formatLogEntry(entry, digest);
}

export function createLogQueries({
  run,
}: Pick<QuerySession, 'run'>): Pick<
  StoreQueries,
  'checkpoint' | 'treeHashes' | 'ledgerKeys' | 'logEntry'
> {
  return {
    checkpoint: async () => run(findCheckpoint, { isSingleStatement: true }),
    treeHashes: async (level, position, count) => run(() => findTreeHashes(level, position, count)),
    ledgerKeys: async () => run(findLedgerKeys, { isSingleStatement: true }),
    logEntry: async (revision) => run(() => findLogEntry(revision), { asOf: revision }),
  };
}

/** The text whose digest is in the log. */
function formatLogEntry(entry: LedgerEntry, { salt, changes }: RevisionDigest): string {
  const { revision, dataset, publishedAt, source, files, author, sample } = entry;
  const { added, corrected, retired, unchanged, report, options } = entry;
  const origin = { revision, dataset, publishedAt, source, files, author, sample };
  const counts = { added, corrected, retired, unchanged };
  return JSON.stringify({ ...origin, ...counts, report, options, salt, changes });
}

/** The digest of what a revision changed, from the records as they are stored. */
async function digestStoredChanges(
  session: Pick<QuerySession, 'run' | 'dialect'>,
  dataset: Dataset,
  revision: number,
): Promise<string> {
  const digest = new ChangeDigest(dataset);
  let after: RecordKey | undefined;
  do {
    const filter = { since: revision - 1, until: revision, limit: 5_000, after };
    const found: NetChanges = await session.run(() =>
      findNetChanges(dataset, filter, session.dialect),
    );
    for (const change of found.changes) digest.add(change);
    after = found.last;
  } while (after);
  return digest.hex;
}

/** The hash of a full subtree. */
interface Subtree {
  readonly level: number;
  readonly position: number;
  readonly hash: Uint8Array;
}

const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)];

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(Buffer.concat(parts)).digest();
}

/** The log as one transaction adds to it. */
export class LedgerLog {
  #size = 0;
  /** Those that make up the tree, the smallest first. */
  readonly #subtrees: Subtree[] = [];
  /** Those that have ever signed it, and the one that does. */
  #keyCount = 0;
  #key = '';
  #signer: LedgerSigner | undefined;
  #saveSigner: (() => Promise<void>) | undefined;

  private constructor(
    private readonly session: WriteSession,
    private readonly options: PublisherOptions,
  ) {}

  /** Creates the log where there is none, and adds revisions that it lacks. */
  static async open(
    session: WriteSession,
    options: PublisherOptions,
    catalogue: readonly Dataset[],
  ): Promise<LedgerLog> {
    const log = new LedgerLog(session, options);
    const newest = await session.run(() => log.#readTree());
    if (log.#keyCount === 0) {
      const signer = createSigner(options.ledgerName ?? createLedgerName());
      await log.#addKey(signer, { key: signer.key, size: 0, note: null });
      log.#saveSigner = () => session.signers.add(signer.line);
    }
    if (log.#size === newest) return log;
    const declared = await session.run(() => findDeclarations(newest));
    const known = new Catalogue(catalogue, declared);
    while (log.#size < newest) await log.#appendStored(log.#size + 1, known);
    return log;
  }

  /** Adds the next revision, and signs the log that ends with it. */
  async append(entry: LedgerEntry, changes: string): Promise<void> {
    const salt = Buffer.from(this.options.createSalt?.() ?? randomBytes(16)).toString('hex');
    const digest = sha256(Buffer.from(formatLogEntry(entry, { salt, changes })));
    const added: Subtree[] = [{ level: 0, position: this.#size, hash: sha256(LEAF, digest) }];
    for (let last = added[0] as Subtree; this.#subtrees[0]?.level === last.level; ) {
      const { level, position, hash } = this.#subtrees.shift() as Subtree;
      last = { level: level + 1, position: position / 2, hash: sha256(NODE, hash, last.hash) };
      added.push(last);
    }
    this.#subtrees.unshift(added.at(-1) as Subtree);
    this.#size++;
    const { revision } = entry;
    const checkpoint = (await this.#getSigner()).signNote(this.#formatCheckpoint());
    await this.session.run(() => insertDigest({ revision, salt, changes, checkpoint }, added));
  }

  /**
   * Lets another key sign from now on, which the one before signs. With another name, a new log
   * begins, which has the entries of this one up to a size.
   */
  async replaceKey({ name, size, isLost }: KeyReplacement): Promise<LedgerKey> {
    const { session } = this;
    const signer = createSigner(name ?? this.#origin);
    const text = `tenor ledger key\n${signer.key}\n${size ?? this.#size}\n`;
    if (!isLost) await this.#getSigner();
    // By other keys as well: verifiers may know one that a restored backup does not.
    const note = signWithAll(await session.signers.read(), text);
    const key = { key: signer.key, size: size ?? this.#size, note };
    await this.#addKey(signer, key);
    const sql = `UPDATE ${REVISION_DIGESTS_TABLE} SET checkpoint = ? WHERE revision = ?`;
    const values = [signer.signNote(this.#formatCheckpoint()), this.#size];
    await session.run(() => queryRows({ sql, values }));
    this.#saveSigner = () => session.signers.replaceAll(signer.line);
    return key;
  }

  /** Stores a new private key, as late as possible: the transaction may be abandoned. */
  async saveSigner(): Promise<void> {
    await this.#saveSigner?.();
  }

  /** Adds a revision that was published before there was a log. */
  async #appendStored(revision: number, catalogue: Catalogue): Promise<void> {
    const { session } = this;
    const [entry] = await session.run(() => readLedger([revision - 1, revision]));
    if (!entry) throw new StoreUnusableError(`the ledger lacks revision ${revision}`);
    const dataset = catalogue.get(entry.dataset);
    await this.append(entry, await digestStoredChanges(session, dataset, revision));
  }

  async #getSigner(): Promise<LedgerSigner> {
    if (this.#signer) return this.#signer;
    const { signers } = this.session;
    for (const line of await signers.read())
      if (isLineOf(line, this.#key)) this.#signer ??= parseSigner(line);
    if (this.#signer?.key === this.#key) return this.#signer;
    throw new StoreUnusableError(
      `nothing was published: the private key of the ledger (${this.#key}) is not in ${signers.location}; add it from a backup to those that are there, or let a new log begin: tenor ledger restart --lost-key`,
    );
  }

  async #addKey(signer: LedgerSigner, key: LedgerKey): Promise<void> {
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
    const end = yield* queryRow<Record<'newest' | 'size' | 'key', unknown> & { keys: number }>({
      sql: `SELECT (SELECT max(revision) FROM revisions) AS newest,
        (SELECT max(revision) FROM ${REVISION_DIGESTS_TABLE}) AS size,
        (SELECT count(*) FROM ${LEDGER_KEYS_TABLE}) AS keys,
        (SELECT verifier_key FROM ${LEDGER_KEYS_TABLE} ORDER BY number DESC LIMIT 1) AS key`,
    });
    const newest = Number(end?.newest ?? 0);
    this.#size = Number(end?.size ?? 0);
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

  #formatCheckpoint(): string {
    const [smallest, ...others] = this.#subtrees;
    const root = others.reduce(
      (right, { hash }) => sha256(NODE, hash, right),
      smallest?.hash ?? sha256(),
    );
    return formatCheckpoint({ origin: this.#origin, size: this.#size, root: new Uint8Array(root) });
  }
}

function signWithAll(lines: readonly string[], text: string): string | null {
  const notes = lines.flatMap((line) => parseSigner(line)?.signNote(text) ?? []);
  if (notes.length === 0) return null;
  return `${text}\n${notes.map((note) => note.slice(text.length + 1)).join('')}`;
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
