import type { Catalogues } from '../../catalogue/catalogues.ts';
import type { StreamedBody } from '../../http/responses/response.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import type { Principal } from '../../tokens/principal.ts';
import type { TokenRegistry } from '../../tokens/token-registry.ts';
import { toRevisionJson } from '../revisions/revision-routes.ts';
import { EventStream } from './event-stream.ts';

/** Each takes a connection, and memory. */
export interface EventStreamLimits {
  readonly max: number;
  readonly maxPerToken: number;
}

const DEFAULT_LIMITS: EventStreamLimits = { max: 4_000, maxPerToken: 100 };

/** Half of the files that the process may open are left to other connections. */
export function getStreamLimits(fileLimit: number): EventStreamLimits {
  const max = Math.min(DEFAULT_LIMITS.max, Math.ceil(fileLimit / 2));
  return { ...DEFAULT_LIMITS, max };
}

export interface EventStreamRequest {
  readonly source: RevisionSource;
  readonly principal: Principal;
  /** The last revision that the client knows; events of later ones are sent. */
  readonly after: number;
  /** The newest revision. */
  readonly newest: number;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** A database that serves revisions. */
interface RevisionSource {
  readonly reader: Pick<StoreReader, 'revisions'>;
  readonly catalogues: Catalogues;
}

type ScopedRevision = Awaited<ReturnType<typeof readRevisions>>[number];

const TICK_MS = 1_000;
const COMMENT_INTERVAL_TICKS = 15;
/** A client that has read nothing for so long is disconnected. */
const MAX_STALLED_TICKS = 60;
/** Revisions that are read from the ledger at once. */
const PAGE_REVISIONS = 200;

/** All open streams of events of a process: one poll of the store feeds them. */
export class EventStreams {
  readonly #streams = new Set<EventStream>();
  #revision: number | undefined;
  #timer: Timer | undefined;
  #tick = 0;
  #isStopped = false;
  /** How many databases there were before this one. */
  #database = 0;
  #advancing: Promise<void> | undefined;

  constructor(
    private readonly tokens: Pick<TokenRegistry, 'isValid'>,
    private readonly limits: EventStreamLimits,
    private readonly tickMs = TICK_MS,
  ) {}

  get count(): number {
    return this.#streams.size;
  }

  /** Why no stream may be opened for a token now, if so. */
  findObstacle({ id }: Principal): 'tooManyOfToken' | 'tooMany' | 'stopping' | undefined {
    if (this.#isStopped) return 'stopping';
    if (this.count >= this.limits.max) return 'tooMany';
    const ofToken = [...this.#streams].filter(({ principal }) => principal.id === id);
    return ofToken.length >= this.limits.maxPerToken ? 'tooManyOfToken' : undefined;
  }

  open({ source, principal, after, newest, signal }: EventStreamRequest): StreamedBody {
    this.#revision ??= newest;
    const stream = new EventStream(principal, signal, {
      after,
      commentTick: this.#tick % COMMENT_INTERVAL_TICKS,
      onWaiting: () => this.#sendFromLedger(source, stream),
      onEnd: () => this.#remove(stream),
    });
    const body = { ...stream.body, isEndless: true } as const;
    if (signal.aborted) return body;
    this.#streams.add(stream);
    this.#timer ??= system.setInterval(() => this.#onTick(), this.tickMs);
    stream.send(FIRST_COMMENT);
    return body;
  }

  /** Sends the events of revisions up to the newest one. Called at each poll of the store. */
  async advanceTo(source: RevisionSource, newest: number): Promise<void> {
    while (this.#advancing) await this.#advancing;
    if (this.#revision === undefined || newest <= this.#revision) return;
    this.#advancing = this.#sendNew(source, this.#revision, newest).finally(() => {
      this.#advancing = undefined;
    });
    await this.#advancing;
  }

  /** Ends all streams, because the database is another one. */
  restart(): void {
    this.#database++;
    this.#revision = undefined;
    for (const stream of [...this.#streams]) stream.end();
  }

  /** Ends all streams for good. */
  stop(): void {
    this.#isStopped = true;
    this.restart();
  }

  async #sendNew(source: RevisionSource, last: number, newest: number): Promise<void> {
    const database = this.#database;
    for (let after = last; after < newest && this.count > 0; after += PAGE_REVISIONS) {
      const until = Math.min(after + PAGE_REVISIONS, newest);
      const revisions = await readRevisions(source, after, until);
      if (this.#database !== database) return;
      this.#sendToAll(revisions, after, until);
      this.#revision = until;
    }
    this.#revision = newest;
  }

  /** Tokens with the same scopes share the bytes. */
  #sendToAll(revisions: readonly ScopedRevision[], after: number, until: number): void {
    const chunks = new Map<string, Uint8Array>();
    for (const stream of [...this.#streams]) {
      if (!stream.isLive || stream.revision >= until) continue;
      const { scopes } = stream.principal;
      const from = Math.max(after, stream.revision);
      const key = `${from} ${[...scopes].join()}`;
      const encode = () => encodeEvents(revisions, scopes, from);
      const chunk = chunks.getOrInsertComputed(key, encode);
      stream.revision = until;
      stream.send(chunk);
    }
  }

  /** Sends events that a client has missed, as it reads; then it waits for new ones. */
  async #sendFromLedger(source: RevisionSource, stream: EventStream): Promise<void> {
    if (stream.isLive || stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.isWaiting) {
        const after = stream.revision;
        const newest = this.#revision ?? after;
        stream.isLive = after >= newest;
        if (stream.isLive) break;
        stream.revision = Math.min(after + PAGE_REVISIONS, newest);
        const revisions = await readRevisions(source, after, stream.revision);
        stream.send(encodeEvents(revisions, stream.principal.scopes, after));
        // If none is for this token, the next page is read without waiting for the client.
        await system.nextTurn();
      }
    } catch (cause) {
      stream.fail(cause);
    }
    stream.isReading = false;
  }

  #onTick(): void {
    this.#tick++;
    for (const stream of [...this.#streams]) {
      const { principal, isLive, options } = stream;
      stream.stalledTicks = stream.isWaiting ? 0 : stream.stalledTicks + 1;
      if (!this.tokens.isValid(principal)) stream.end();
      else if (stream.stalledTicks >= MAX_STALLED_TICKS) stream.disconnect();
      else if (isLive && this.#tick % COMMENT_INTERVAL_TICKS === options.commentTick)
        stream.send(COMMENT);
    }
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.count > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

const encoder = new TextEncoder();

/** The events of revisions after one, of datasets in some scopes. */
function encodeEvents(
  revisions: readonly ScopedRevision[],
  scopes: Principal['scopes'],
  after: number,
): Uint8Array {
  const readable = revisions.filter(
    ({ revision, scope }) => revision > after && scope !== undefined && scopes.has(scope),
  );
  return Buffer.concat(readable.map(encodeRevisionEvent));
}

/** An event in the format of `text/event-stream`; JSON has no line break. */
function encodeRevisionEvent(revision: Revision): Uint8Array {
  const data = JSON.stringify(toRevisionJson(revision));
  return encoder.encode(`event: revision\nid: ${revision.revision}\ndata: ${data}\n\n`);
}

/** Comments, which clients ignore: they show that the connection is alive. */
const COMMENT = encoder.encode(':\n\n');
/** The first line also sends the headers on their way. */
const FIRST_COMMENT = encoder.encode(': revisions follow as they are published\n\n');

/** Oldest first, with the scope of the dataset of each, which is never declared with another one. */
async function readRevisions({ reader, catalogues }: RevisionSource, after: number, until: number) {
  const newestFirst = await reader.revisions({ before: until + 1, limit: until - after });
  const datasets = (await catalogues.prepare(until)).listWithRetired();
  return newestFirst
    .filter(({ revision }) => revision > after)
    .map((entry) => {
      const dataset = datasets.find(({ name }) => name === entry.dataset);
      return { ...entry, scope: dataset?.scope };
    })
    .reverse();
}
