import { readNewestCatalogue } from '../catalogue/catalogues.ts';
import { catalogue } from '../catalogue/index.ts';
import { findNextDue, judgeTimeliness } from '../catalogue/model/next-due.ts';
import { toRevisionJson } from '../operations/revisions/revision-routes.ts';
import { system } from '../shared/system.ts';
import { pause } from '../shared/wait-until.ts';
import type { Revision, StoreReader } from '../store/open-store.ts';
import { type Delivery, deliverWebhook, type WebhookTarget } from './deliver-webhook.ts';
import type { WebhookMessage } from './sign-webhook.ts';

/** What was sent so far. */
export interface NotifierState {
  /** The last revision that was sent, and its instant: another one's if the database was restored. */
  readonly revision: number;
  readonly publishedAt: string;
  /** The datasets that were said to be late, with the instant that they were due at. */
  readonly late: Readonly<Record<string, string>>;
}

export interface NotifierOptions extends WebhookTarget {
  /** All datasets if absent. */
  readonly datasets?: readonly string[] | undefined;
  readonly readState: () => NotifierState | undefined;
  /** Called after each message that was delivered. */
  readonly writeState: (state: NotifierState) => void;
  readonly onNote: (text: string) => void;
  readonly signal: AbortSignal;
  readonly minPauseMs?: number;
}

/** The receiver wants no more messages. */
export class ReceiverGoneError extends Error {}

const REVISIONS_AT_ONCE = 100;
const LATENESS_INTERVAL_MS = 60_000;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5_000, 3_600_000];

/** Sends each revision, and each dataset that becomes late or recovers, in order and at least once. */
export class Notifier {
  #state: NotifierState;
  #judgedMs = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly options: NotifierOptions,
    state: NotifierState,
  ) {
    this.#state = state;
  }

  /** Goes on where it stopped, or begins with the next revision. */
  static async start(options: NotifierOptions, reader: StoreReader): Promise<Notifier> {
    const known = options.readState();
    if (known) return new Notifier(options, known);
    const notifier = new Notifier(options, { revision: 0, publishedAt: '', late: {} });
    const [newest] = await reader.revisions({ limit: 1 });
    notifier.#save(newest ? getPosition(newest) : {});
    return notifier;
  }

  /** Sends what is new now. */
  async send(reader: StoreReader): Promise<void> {
    await this.#sendRevisions(reader);
    if (system.monotonicNow() - this.#judgedMs < LATENESS_INTERVAL_MS) return;
    await this.#sendLateness(reader);
    this.#judgedMs = system.monotonicNow();
  }

  async #sendRevisions(reader: StoreReader): Promise<void> {
    const { onNote } = this.options;
    const newest = await reader.revision();
    const last = await reader.ledgerEntry(Math.min(this.#state.revision, newest));
    if (this.#state.revision > 0 && last?.publishedAt !== this.#state.publishedAt) {
      onNote(
        `revision ${this.#state.revision} is not the one that was sent: the database was restored, and what follows its newest revision is sent`,
      );
      const [current] = await reader.revisions({ limit: 1 });
      this.#save(current ? getPosition(current) : { revision: 0, publishedAt: '' });
      return;
    }
    while (this.#state.revision < newest) {
      const until = Math.min(this.#state.revision + REVISIONS_AT_ONCE, newest);
      const limit = until - this.#state.revision;
      for (const revision of (await reader.revisions({ before: until + 1, limit })).toReversed()) {
        if (this.#isWanted(revision.dataset)) await this.#deliver(createRevisionMessage(revision));
        this.#save(getPosition(revision));
      }
    }
  }

  async #sendLateness(reader: StoreReader): Promise<void> {
    const { datasets } = await readNewestCatalogue(catalogue, reader);
    const { entries } = await reader.coverage(datasets.filter(({ name }) => this.#isWanted(name)));
    const now = new Date(system.now());
    const late = new Map(Object.entries(this.#state.late));
    for (const coverage of entries) {
      const { name } = coverage.dataset;
      const nextDue = findNextDue(coverage);
      const isLate = nextDue !== null && judgeTimeliness(nextDue, now).timeliness === 'late';
      const before = late.get(name);
      if (isLate === (before !== undefined)) continue;
      const type = isLate ? 'dataset.late' : 'dataset.recovered';
      const dueAt = isLate ? nextDue.dueAt : (before as string);
      await this.#deliver(
        createMessage(type, `${name}-${dueAt}`, { dataset: name, dueAt, nextDue }),
      );
      if (isLate) late.set(name, dueAt);
      else late.delete(name);
      this.#save({ late: Object.fromEntries(late) });
    }
  }

  #isWanted(dataset: string): boolean {
    return dataset !== '' && (this.options.datasets?.includes(dataset) ?? true);
  }

  #save(change: Partial<NotifierState>): void {
    this.#state = { ...this.#state, ...change };
    this.options.writeState(this.#state);
  }

  /** Sends a message until it is delivered, with growing pauses. */
  async #deliver(message: WebhookMessage): Promise<void> {
    const { signal, onNote, minPauseMs = MIN_PAUSE_MS } = this.options;
    for (let attempt = 0; ; attempt++) {
      const delivery: Delivery = await deliverWebhook(this.options, message, signal);
      if (delivery.kind === 'delivered') {
        if (attempt > 0) onNote(`${message.id} was delivered`);
        return;
      }
      if (delivery.kind === 'gone')
        throw new ReceiverGoneError('the receiver responds with 410: it wants no more messages');
      const growing = Math.min(minPauseMs * 2 ** attempt, MAX_PAUSE_MS);
      // Those of many senders are spread.
      const pauseMs = Math.max(growing * (0.8 + 0.4 * system.random()), delivery.retryAfterMs ?? 0);
      onNote(
        `${message.id} was not delivered, since ${delivery.reason}; it is sent again in ${Math.ceil(pauseMs / 1_000)} s`,
      );
      await pause(pauseMs, signal);
      signal.throwIfAborted();
    }
  }
}

const getPosition = ({ revision, publishedAt }: Revision) => ({ revision, publishedAt });

function createRevisionMessage(revision: Revision): WebhookMessage {
  const id = `${revision.revision}-${Date.parse(revision.publishedAt)}`;
  return createMessage('revision.published', id, toRevisionJson(revision), revision.publishedAt);
}

function createMessage(
  type: string,
  key: string,
  data: object,
  timestamp = new Date(system.now()).toISOString(),
): WebhookMessage {
  const id = `${type}-${key}`.replaceAll(/[^\w-]/g, '-');
  return { id, body: JSON.stringify({ type, timestamp, data }) };
}
