import type {
  Thread,
  ThreadRequest,
  ThreadResponse,
} from '../../src/http/background/background-thread.ts';
import { createDataRoutes } from '../../src/http/server/routes.ts';
import {
  runBackgroundThread,
  type ThreadPort,
} from '../../src/http/server/thread/run-background-thread.ts';
import type { StoreReader } from '../../src/store/reader.ts';
import { simulatedCatalogue } from './model.ts';
import { Channel, createProcess, type Process, type Scheduler } from './scheduler.ts';

const [MIN_MESSAGE_MS, MAX_MESSAGE_MS] = [0.05, 8];
const START_MS = 20;

interface Listeners {
  message?: (response: ThreadResponse) => void;
  error?: (cause: Error) => void;
  exit?: () => void;
}

/**
 * A background thread: the real jobs in a process of their own. Messages keep their order in each
 * direction, and come when they come; the thread may hang or die.
 */
export class SimulatedThread implements Thread {
  readonly process: Process;
  readonly #listeners: Listeners = {};
  readonly #requests: Channel<ThreadRequest>;
  readonly #responses: Channel<ThreadResponse | 'exit'>;
  #receive: ((request: ThreadRequest) => void) | undefined;
  #isEnded = false;
  /** Whether nothing was asked of it since it hangs. */
  #isIdle = true;
  #onGivenUp = () => {};

  constructor(scheduler: Scheduler, name: string, openReader: () => StoreReader) {
    const owner = scheduler.current;
    this.process = createProcess(name);
    const times = { minMs: MIN_MESSAGE_MS, maxMs: MAX_MESSAGE_MS };
    this.#requests = new Channel(scheduler, {
      label: 'to thread',
      receiver: this.process,
      ...times,
      onMessage: (request) => this.#receive?.(request),
    });
    this.#responses = new Channel(scheduler, {
      label: 'from thread',
      receiver: owner,
      ...times,
      onMessage: (response) => this.#deliver(response),
    });
    // Requests wait until it has started.
    this.process.stalledUntilMs = scheduler.nowMs + scheduler.drawDelay(1, START_MS);
    const port: ThreadPort = {
      on: (_event, listener) => {
        this.#receive = listener;
      },
      postMessage: (response) => this.#responses.send(response),
      close: () => this.end(),
    };
    // Not by `runAs`: promises of the owner that have settled would go on as those of the thread.
    runBackgroundThread(port, openReader, {
      catalogue: simulatedCatalogue,
      getDataRoutes: createDataRoutes(),
      reportAllocatedBytes: () => {},
    });
    this.#responses.send({ isAlive: true });
  }

  on(event: keyof Listeners, listener: (value: never) => void): void {
    Object.assign(this.#listeners, { [event]: listener });
  }

  postMessage(request: ThreadRequest): void {
    if (request.kind !== 'cancel') this.#isIdle = false;
    this.#requests.send(request);
  }

  unref(): void {}

  /** A call that does not return is not ended. */
  terminate(): void {
    if (this.isHung) this.#onGivenUp();
    else this.end();
  }

  /** Responds to nothing any more. Calls back when its server has given it up. */
  hang(onGivenUp: () => void): void {
    this.process.stalledUntilMs = Number.POSITIVE_INFINITY;
    this.#isIdle = true;
    this.#onGivenUp = onGivenUp;
  }

  /** Ends one that hangs and that no job waits for: it would be noticed by a later one. */
  endIfIdle(): void {
    if (this.isHung && this.#isIdle) this.end();
  }

  get isHung(): boolean {
    return this.process.stalledUntilMs === Number.POSITIVE_INFINITY;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.process.isDead = true;
    this.#responses.send('exit');
  }

  #deliver(response: ThreadResponse | 'exit'): void {
    if (response === 'exit') this.#listeners.exit?.();
    else this.#listeners.message?.(response);
  }
}
