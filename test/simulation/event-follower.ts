import type { ReadingClient } from './clients.ts';
import { getDataset, type Model } from './model.ts';
import { checkResponse } from './properties.ts';
import type { Query } from './queries.ts';
import type { SimulatedToken } from './simulated-tokens.ts';

const RECONNECT_MS = 300;
/** Streams of a token that was revoked end within this time. */
const STREAM_END_MS = 6_500;
const EVENTS: Query = { target: '/events', scope: undefined, expect: () => '', select: () => '' };

/** Follows `/events`, and connects again where the stream ends. */
export class EventFollower {
  /** The last revision that it knows; undefined before it is connected. */
  #last: number | undefined;
  /** When that was published. */
  #publishedAt: string | null = null;
  #knownMs = 0;
  #token: SimulatedToken;
  #isConnected = false;
  #isGivenUp = false;

  constructor(
    private readonly client: ReadingClient,
    private readonly server: number,
  ) {
    this.#token = client.token;
  }

  async run(): Promise<void> {
    const { scheduler } = this.client.world;
    while (!this.#isGivenUp) {
      await this.#follow();
      this.#isConnected = false;
      await scheduler.wait(scheduler.random.between(10, RECONNECT_MS), 'reconnect');
    }
  }

  /** It does not connect again. */
  stop(): void {
    this.#isGivenUp = true;
  }

  /** It has got the event of every revision that its token may read. */
  checkEnd(): void {
    const { world } = this.client;
    const { endMs, expiresMs } = this.#token;
    const { nowMs } = world.scheduler;
    const latestMs = endMs + (expiresMs === endMs ? world.clockChangeMs : 0);
    if (this.#isConnected && world.isNoticed(latestMs, nowMs, STREAM_END_MS))
      this.#fail('streams of ended tokens end', `that of ${this.#token.stored.id} did not`);
    if (this.#isGivenUp || endMs < Number.POSITIVE_INFINITY) return;
    const { newest } = world.database;
    if (this.#last === undefined || this.#findMissed(newest, this.#last, newest.revision + 1))
      this.#fail('events reach every follower', `${this.#last} instead of ${newest.revision}`);
  }

  async #follow(): Promise<void> {
    const { client, server } = this;
    const { world } = client;
    const { scheduler } = world;
    this.#token = client.token;
    const token = this.#token;
    const startedMs = scheduler.nowMs;
    const headers: Record<string, string> = {
      Authorization: `Bearer ${token.secret}`,
      ...(this.#last !== undefined && { 'Last-Event-ID': String(this.#last) }),
    };
    try {
      const response = await client.fetch(server, '/events', { headers });
      const { status } = response;
      const receivedMs = scheduler.nowMs;
      scheduler.note(`/events after ${this.#last}: ${status}`);
      if (status !== 200) {
        const body = await response.text();
        const basisMs = this.#last === undefined ? startedMs : this.#knownMs;
        const times = { startedMs, receivedMs, basisMs };
        const exchanged = { query: EVENTS, token, server, status, body, ...times };
        checkResponse(world, { ...exchanged, revision: undefined });
        if (status === 400) this.#last = undefined;
        if (status === 401 && token === client.token) this.#isGivenUp = true;
        return;
      }
      // Another database has a revision of that number.
      if (this.#last && response.headers.get('Tenor-Since-Published-At') !== this.#publishedAt) {
        this.#last = undefined;
        await response.body?.cancel();
        return;
      }
      if (this.#last === undefined) {
        this.#last = Number(response.headers.get('Tenor-Revision'));
        this.#publishedAt = response.headers.get('Tenor-Published-At');
      }
      this.#knownMs = startedMs;
      this.#isConnected = true;
      await this.#read(response, startedMs);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      scheduler.note(`/events: ${cause.message}`);
    }
  }

  async #read(response: Response, startedMs: number): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) this.#receive(event, startedMs);
    }
  }

  /** Each is the next one that the token may read: none is missing, and none comes twice. */
  #receive(event: string, startedMs: number): void {
    const { world } = this.client;
    const revision = Number(/^id: (\d+)$/m.exec(event)?.[1] ?? Number.NaN);
    if (Number.isNaN(revision)) return;
    const { nowMs } = world.scheduler;
    world.scheduler.note(`event ${revision} after ${this.#last}`);
    const last = this.#last ?? 0;
    const models = world.database.findModels(revision, startedMs, nowMs);
    const isNext = models.some(
      (model) => revision > last && this.#findMissed(model, last, revision) === undefined,
    );
    if (!isNext && !world.database.isReplacedSince(startedMs))
      this.#fail('no event is missing or comes twice', `${revision} after ${last}`);
    this.#last = revision;
    this.#publishedAt = /"publishedAt":"([^"]*)"/.exec(event)?.[1] ?? null;
    this.#knownMs = nowMs;
  }

  /** The first revision between two that the token may read. */
  #findMissed(model: Model, after: number, before: number): number | undefined {
    const { scopes } = this.#token.stored;
    const index = model.ledger.findIndex(
      ({ dataset }, position) =>
        position + 1 > after && position + 1 < before && scopes.includes(getDataset(dataset).scope),
    );
    return index < 0 ? undefined : index + 1;
  }

  #fail(property: string, message: string): void {
    const { client, server } = this;
    client.world.fail(property, `events of server${server} to ${client.process.name}: ${message}`);
  }
}
