import type { CheckedWorld } from './checked-world.ts';
import type { Copy } from './copy.ts';
import type { EventFollower } from './event-follower.ts';
import { checkInstant, checkResponse, type Exchanged, report } from './properties.ts';
import {
  ALL_SCOPES,
  createLinkQuery,
  createToolQuery,
  QUERIES,
  QUERY_NAMES,
  type Query,
} from './queries.ts';
import { Random } from './random.ts';
import { createProcess, type Process } from './scheduler.ts';
import type { SimulatedToken } from './simulated-tokens.ts';
import type { Part, World } from './world.ts';

export interface RequestOptions {
  readonly query: Query;
  readonly token: SimulatedToken;
  readonly server: number;
  /** Only that worker; any by default. */
  readonly worker?: number;
  /** As of how many revisions before the newest one that it has seen. */
  readonly revisionsBack?: number | undefined;
  /** As of an instant, by the clock of the client. */
  readonly instantMs?: number | undefined;
  /** Whether it asks how many records match. */
  readonly isCounted?: boolean;
  /** When the client learnt what the request builds on; the present by default. */
  readonly basisMs?: number;
  /** Whether it sends the newest revision that it has seen, from whichever server. */
  readonly carriesRevision?: boolean;
  readonly isConditional?: boolean;
  readonly hangsUpAfterMs?: number | undefined;
}

interface Seen {
  readonly revision: number;
  readonly server: number;
  readonly startedMs: number;
  readonly receivedMs: number;
}

export interface Received extends Exchanged {
  /** The target of the next page. */
  readonly next: string | undefined;
  /** When the revision was published that it leads on from. */
  readonly sincePublishedAt: string | undefined;
}

/** A request that has no response after this time waits for ever. */
const MAX_WAIT_MS = 5_000;
const MAX_WALK_FAILURES = 20;
const MAX_BODIES = 100;

/** A program that reads, and remembers what it has seen. */
export class ReadingClient {
  readonly process: Process;
  readonly tokens: SimulatedToken[] = [];
  readonly links: SimulatedToken[] = [];
  readonly copies: Copy[] = [];
  readonly followers: EventFollower[] = [];
  readonly #seen: Seen[] = [];
  /** Responses as of an instant, which never change. */
  readonly #instants: Received[] = [];
  readonly #bodies = new Map<string, { readonly etag: string; readonly body: string }>();
  readonly #pending = new Set<{ readonly target: string; readonly startedMs: number }>();

  constructor(
    readonly world: CheckedWorld,
    readonly index: number,
    token: SimulatedToken,
  ) {
    this.process = createProcess(`client${index}`);
    this.useToken(token);
  }

  /** The token that it was given last. */
  get token(): SimulatedToken {
    return this.tokens.at(-1) as SimulatedToken;
  }

  useToken(token: SimulatedToken): void {
    this.tokens.push(token);
  }

  /** Sends a request; undefined where the connection failed, or the client hung up. */
  async request(options: RequestOptions): Promise<Received | undefined> {
    const { world } = this;
    const { query, token, server } = options;
    const asOf = this.#findAsOf(options);
    const isCarried = options.carriesRevision || asOf !== undefined;
    const required = isCarried ? this.#findNewestSeen() : undefined;
    const key = `${query.target} ${asOf} ${options.instantMs} ${token.stored.scopes}`;
    const known = options.isConditional ? this.#bodies.get(key) : undefined;
    const startedMs = world.scheduler.nowMs;
    const pending = { target: query.target, startedMs };
    this.#pending.add(pending);
    try {
      const response = await this.#send({ ...options, asOf }, required?.revision, known?.etag);
      const body = await response.text();
      const { status, headers } = response;
      const revision =
        (status === 200 ? query.readRevision?.(body) : undefined) ?? headers.get('Tenor-Revision');
      const exchanged: Received = {
        basisMs: Math.min(options.basisMs ?? startedMs, required?.startedMs ?? startedMs),
        query,
        token,
        server,
        startedMs,
        receivedMs: world.scheduler.nowMs,
        status,
        body,
        revision: revision === null ? undefined : Number(revision),
        ...(asOf !== undefined && { asOf }),
        ...(required && { required: required.revision }),
        ...(known && { known: known.body }),
        instantMs: options.instantMs,
        total: options.isCounted ? headers.get('Tenor-Total-Count') : undefined,
        publishedAt: headers.get('Tenor-Published-At') ?? undefined,
        sincePublishedAt: headers.get('Tenor-Since-Published-At') ?? undefined,
        next: /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1],
      };
      world.scheduler.note(() => `${query.target} ${status} ${revision} ${Bun.hash(body)}`);
      this.#check(exchanged);
      const digest = headers.get('Repr-Digest');
      const actual = `sha-256=:${new Bun.CryptoHasher('sha256').update(body).digest('base64')}:`;
      if (digest !== null && digest !== actual)
        report(world, 'each response is what its revision has', exchanged, `${digest}`);
      // Which use of a token is its last one is known at the end.
      if (status === 200) token.usedMs = Math.max(token.usedMs, startedMs);
      const etag = headers.get('ETag');
      if (status === 200 && etag !== null) this.#keepBody(key, etag, body);
      return exchanged;
    } catch (cause) {
      this.#explainBrokenConnection(cause, query, startedMs);
      return undefined;
    } finally {
      this.#pending.delete(pending);
    }
  }

  /** Sends a request without looking at the response. */
  async fetch(server: number, target: string, init: RequestInit = {}, worker?: number) {
    const { world } = this;
    const headers = new Headers(init.headers);
    headers.set('Host', `server${server}`);
    headers.set('X-Request-Id', `request-${world.nextRequestId++}`);
    const request = new Request(`http://server${server}${target}`, { ...init, headers });
    const destination = world.servers[server];
    if (!destination) throw new Error(`there is no server ${server}`);
    return destination.fetch(request, worker);
  }

  /** Reads all pages, which are to be of one revision, whichever server they are of. */
  async walk({ roams, ...options }: RequestOptions & { roams?: boolean }): Promise<void> {
    const { world } = this;
    const startedMs = world.scheduler.nowMs;
    let { query } = options;
    let first: Received | undefined;
    const records: string[] = [];
    for (let failures = 0; failures < MAX_WALK_FAILURES; ) {
      const server = roams
        ? world.scheduler.random.integer(0, world.servers.length - 1)
        : options.server;
      const page = await this.request({ ...options, server, query, basisMs: startedMs });
      if (page?.status === 503 || !page) {
        failures++;
        await world.scheduler.wait(200, 'retry');
        continue;
      }
      if (page.status !== 200) return;
      first ??= page;
      records.push(...splitRecords(page.body));
      if (page.revision !== first.revision && !world.database.isReplacedSince(startedMs))
        report(world, 'pages are of one revision', page, `${first.revision}, ${page.revision}`);
      if (page.next === undefined) {
        this.#checkWalk(options.query, page, records, startedMs);
        return;
      }
      const { next } = page;
      // A page is compared with the others only.
      const { listAll: _, ...others } = options.query;
      query = {
        ...others,
        target: next,
        expect: (_model, _scopes) => page.body,
        select: () => page.body,
      };
    }
  }

  /** What it has to show at the end. */
  checkEnd(): void {
    const { world } = this;
    for (const { target, startedMs } of this.#pending)
      if (world.scheduler.nowMs - startedMs > MAX_WAIT_MS)
        world.fail(
          'nothing waits for ever',
          `${target} of ${this.process.name} since ${startedMs}`,
        );
    for (const follower of this.followers) follower.checkEnd();
    for (const exchanged of this.#instants) checkInstant(world, exchanged);
  }

  async #send(
    options: RequestOptions & { readonly asOf: number | undefined },
    required: number | undefined,
    etag: string | undefined,
  ): Promise<Response> {
    const { scheduler } = this.world;
    const { query, token, server, worker, hangsUpAfterMs, isCounted, instantMs } = options;
    const date = formatHttpDate(instantMs);
    const instant = instantMs === undefined ? undefined : new Date(instantMs).toISOString();
    const asOf = date === undefined ? (instant ?? options.asOf) : undefined;
    const controller = new AbortController();
    const { body, headers: messageHeaders } = query.message ?? {};
    const headers: Record<string, string> = {
      ...messageHeaders,
      ...(date !== undefined && { 'Accept-Datetime': date }),
      ...(isCounted && { Prefer: 'count=exact' }),
      ...(!token.isLink && { Authorization: `Bearer ${token.secret}` }),
      ...(required !== undefined && { 'Tenor-Revision': String(required) }),
      ...(etag !== undefined && { 'If-None-Match': etag }),
    };
    const separator = query.target.includes('?') ? '&' : '?';
    const target = asOf === undefined ? query.target : `${query.target}${separator}as_of=${asOf}`;
    if (hangsUpAfterMs !== undefined)
      scheduler.after(hangsUpAfterMs, 'hang up', () => controller.abort());
    const { signal } = controller;
    const init = { headers, signal, ...(body !== undefined && { method: 'POST', body }) };
    return this.fetch(server, target, init, worker);
  }

  #findAsOf({ query, revisionsBack }: RequestOptions): number | undefined {
    if (revisionsBack === undefined || query.takesNoAsOf) return undefined;
    const revision = (this.#findNewestSeen()?.revision ?? 0) - revisionsBack;
    return revision > (this.world.database.firstRevision ?? 0) ? revision : undefined;
  }

  #keepBody(key: string, etag: string, body: string): void {
    this.#bodies.set(key, { etag, body });
    const [oldest] = this.#bodies.keys();
    if (this.#bodies.size > MAX_BODIES && oldest !== undefined) this.#bodies.delete(oldest);
  }

  #findNewestSeen(): Seen | undefined {
    const { database } = this.world;
    return this.#seen
      .filter(({ startedMs }) => !database.isReplacedSince(startedMs))
      .reduce<Seen | undefined>(
        (newest, seen) => (seen.revision >= (newest?.revision ?? 0) ? seen : newest),
        undefined,
      );
  }

  #check(exchanged: Received): void {
    const { world } = this;
    const { status, revision, server, startedMs, receivedMs, asOf } = exchanged;
    checkResponse(world, exchanged);
    if ((status !== 200 && status !== 304) || revision === undefined) return;
    if (exchanged.instantMs !== undefined) this.#instants.push(exchanged);
    if (asOf !== undefined || exchanged.instantMs !== undefined) return;
    // Pages of a walk stay with the revision of the first one.
    if (exchanged.query.target.includes('cursor=')) return;
    const later = this.#seen.find(
      (seen) =>
        seen.revision > revision &&
        seen.receivedMs <= startedMs &&
        seen.server === server &&
        !world.database.isReplacedSince(seen.startedMs),
    );
    if (later)
      report(world, 'time never goes back', exchanged, `${revision} after ${later.revision}`);
    this.#seen.push({ revision, server, startedMs, receivedMs });
  }

  #checkWalk(query: Query, last: Received, records: readonly string[], startedMs: number): void {
    const { world } = this;
    if (!query.listAll || last.revision === undefined) return;
    const models = world.database.findModels(last.revision, startedMs, last.receivedMs);
    const text = records.join('\n');
    if (models.some((model) => query.listAll?.(model).join('\n') === text)) return;
    if (world.database.isReplacedSince(startedMs)) return;
    report(world, 'pages together have all records', last, `${records.length} records: ${text}`);
  }

  /** A connection breaks only where a worker was killed, or none listens, or the client hung up. */
  #explainBrokenConnection(cause: unknown, { target }: Query, startedMs: number): void {
    const { world } = this;
    if (cause instanceof DOMException && cause.name === 'AbortError') return;
    if (!(cause instanceof TypeError)) throw cause;
    world.scheduler.note(`${target} ${cause.message}`);
    if (world.isCalm(startedMs - MAX_WAIT_MS, world.scheduler.nowMs))
      world.fail('connections hold', `${target} of ${this.process.name}: ${cause.message}`);
  }
}

/** The date that means an instant: the end of its second. Undefined where it is another one. */
function formatHttpDate(instantMs = 0): string | undefined {
  return instantMs % 1_000 === 999 ? new Date(instantMs - 999).toUTCString() : undefined;
}

/** The records of a page, as texts. */
export function splitRecords(body: string): string[] {
  return (JSON.parse(body) as { data: unknown[] }).data.map((record) => JSON.stringify(record));
}

/** The programs that read from the servers. */
export class ReadingClients implements Part {
  readonly clients: readonly ReadingClient[];

  constructor(private readonly world: World) {
    this.clients = Array.from(
      { length: world.options.clients },
      (_, index) => new ReadingClient(world, index, world.tokens.create({ scopes: ALL_SCOPES })),
    );
  }

  find(index: number): ReadingClient | undefined {
    return this.clients[index];
  }

  /** Runs something as a client. */
  run(index: number, action: (client: ReadingClient) => Promise<unknown>): void {
    const client = this.clients[index];
    if (client) this.world.scheduler.runAs(client.process, () => action(client));
  }

  /** Every worker has the newest revision, and knows which tokens are valid. */
  probe(): void {
    const { servers, plan } = this.world;
    const random = new Random(plan.seed);
    const hasTools = plan.steps.some(({ kind }) => kind === 'ask' || kind === 'import');
    this.clients.forEach((client, index) => {
      for (const [server, { workers }] of servers.entries())
        for (const worker of workers.keys()) {
          const { token } = client;
          if (hasTools && index === 0)
            this.#probe(client, { query: createToolQuery(), token, server, worker }, random);
          for (const link of client.links.slice(-1)) {
            const query = createLinkQuery(link.secret);
            this.#probe(client, { query, token: link, server, worker }, random);
          }
          for (const each of client.tokens.slice(-3)) {
            const query: Query = QUERIES[random.pick(QUERY_NAMES)](random);
            this.#probe(client, { query, token: each, server, worker }, random);
          }
        }
    });
  }

  #probe(client: ReadingClient, options: RequestOptions, random: Random): void {
    this.world.scheduler.after(random.between(0, 300), 'probe', () =>
      this.run(client.index, () => client.request(options)),
    );
  }

  check(): void {
    for (const client of this.clients) client.checkEnd();
  }
}
