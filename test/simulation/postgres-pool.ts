import type { SQL } from 'bun';
import { createConnectionError, Session, type StatementReceiver } from './postgres-session.ts';
import type { Scheduler } from './scheduler.ts';

type Executor = Pick<SQL, 'unsafe'>;

/**
 * A pool of connections to the simulated server that an address leads to, with the methods of the
 * driver that are used.
 */
export function createSimulatedPool(
  scheduler: Scheduler,
  findServer: () => StatementReceiver,
  max: number,
): SQL {
  const pool = new SimulatedPool(max, () => new Session(scheduler, findServer()));
  // The driver's class has many other methods, which the program does not call.
  return pool as unknown as SQL;
}

class SimulatedPool {
  readonly #sessions = new Set<Session>();
  readonly #idle: Session[] = [];
  readonly #waiting: PromiseWithResolvers<Session>[] = [];
  #isClosed = false;

  constructor(
    private readonly max: number,
    private readonly connect: () => Session,
  ) {}

  async unsafe(sql: string, values?: readonly unknown[]): Promise<readonly object[]> {
    const session = await this.#acquire();
    try {
      return await session.run(sql, values);
    } finally {
      this.#release(session);
    }
  }

  /** The mode of the transaction comes first, if any. */
  async begin<T>(...options: [...mode: string[], callback: (connection: Executor) => Promise<T>]) {
    const callback = options.pop() as (connection: Executor) => Promise<T>;
    const session = await this.#acquire();
    try {
      await session.run(['BEGIN', ...options].join(' '));
      const result = await callback(toExecutor(session));
      await session.run('COMMIT');
      return result;
    } catch (cause) {
      await session.run('ROLLBACK').catch(() => {});
      throw cause;
    } finally {
      this.#release(session);
    }
  }

  async reserve(): Promise<Executor> {
    return toExecutor(await this.#acquire());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions) session.close();
    for (const { reject } of this.#waiting.splice(0)) reject(createConnectionError('CLOSED'));
  }

  async #acquire(): Promise<Session> {
    if (this.#isClosed) throw createConnectionError('CLOSED');
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isBroken) return idle;
      this.#sessions.delete(idle);
    }
    if (this.#sessions.size < this.max) return this.#addSession();
    const waiting = Promise.withResolvers<Session>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  #addSession(): Session {
    const session = this.connect();
    this.#sessions.add(session);
    return session;
  }

  /** A lost connection is replaced by another one. */
  #release(session: Session): void {
    if (session.isBroken) this.#sessions.delete(session);
    const next = this.#waiting.shift();
    const free = session.isBroken ? undefined : session;
    if (next) next.resolve(free ?? this.#addSession());
    else if (free) this.#idle.push(free);
  }
}

function toExecutor(session: Session): Executor {
  return {
    unsafe: (sql: string, values?: readonly unknown[]) => session.run(sql, values),
  } as never;
}
