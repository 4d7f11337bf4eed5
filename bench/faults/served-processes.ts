import { join } from 'node:path';
import type { CheckedServer } from '../../test/simulation/checked-world.ts';
import { BUG_EVENTS } from '../../test/simulation/world.ts';
import { findFreePort } from '../../test/support/free-port.ts';
import { ROOT, startTenorServer, type TenorServer } from '../../test/support/run-tenor.ts';
import { findLiveWorkers, readLog } from '../../test/support/worker-log.ts';

const WORKERS = 2;
const RETRY_MS = 200;

/** `bin/tenor serve` with two workers, which can be ended and started again on the same port. */
export class ServedProcesses implements CheckedServer {
  readonly settings: Readonly<Record<string, string>>;
  #server: TenorServer | undefined;
  responses = 0;

  constructor(settings: Readonly<Record<string, string>>) {
    const own = { PORT: String(findFreePort()), WORKERS: String(WORKERS) };
    this.settings = { ...own, SAMPLE_DATA: 'off', RATE_LIMIT: 'off', ...settings };
    process.on('exit', this.#kill);
  }

  /** Starts it, again and again where it cannot start now. */
  async start(isWanted: () => boolean = () => false): Promise<void> {
    for (;;) {
      try {
        this.#server = await startTenorServer(this.settings, [join(ROOT, 'bin/tenor'), 'serve']);
        return await this.waitForWorkers();
      } catch (cause) {
        if (!isWanted()) throw cause;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  /** Ends it; returns what its log and its status tell of bugs. */
  async stop(signal: NodeJS.Signals): Promise<readonly string[]> {
    const server = this.#server;
    if (!server) return [];
    this.#server = undefined;
    const { status } = await server.stop(signal);
    const bugs = readLog(server).filter(({ event }) => BUG_EVENTS.includes(event));
    const lines = bugs.map((logged) => JSON.stringify(logged));
    return status === 0 || signal === 'SIGKILL' ? lines : [...lines, `exit status ${status}`];
  }

  readonly #kill = () => {
    if (this.#server) process.kill(this.#server.pid, 'SIGKILL');
  };

  /** Nothing starts it again. */
  close(): void {
    process.off('exit', this.#kill);
  }

  findWorker(index: number): number | undefined {
    return this.#server && findLiveWorkers(this.#server)[index];
  }

  async waitForWorkers(): Promise<void> {
    const server = this.#server;
    while (server && server === this.#server && findLiveWorkers(server).length < WORKERS)
      await Bun.sleep(20);
  }

  /** Sends a request on a new connection, so that any of the workers may get it. */
  async fetch({ url, headers, signal }: Request): Promise<Response> {
    const { pathname, search } = new URL(url);
    const sent = new Headers(headers);
    sent.delete('Host');
    const target = `http://127.0.0.1:${this.settings.PORT}${pathname}${search}`;
    try {
      const response = await fetch(target, { headers: sent, signal, keepalive: false });
      this.responses++;
      const { status, body } = response;
      if (body && response.headers.get('Content-Type') === 'text/event-stream')
        return new Response(explainErrors(body), { status, headers: response.headers });
      const bytes = await response.bytes();
      const isEmpty = status === 304 || status === 204;
      return new Response(isEmpty ? null : bytes, { status, headers: response.headers });
    } catch (cause) {
      throw toConnectionError(cause);
    }
  }
}

/** Connections fail with a TypeError, as `fetch` should have it. */
function toConnectionError(cause: unknown): unknown {
  const isAborted = cause instanceof DOMException && cause.name === 'AbortError';
  return isAborted ? cause : new TypeError(String(cause), { cause });
}

function explainErrors(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(toConnectionError(cause));
      }
    },
    cancel: () => reader.cancel(),
  });
}
