import { SQL } from 'bun';
import type { Process, Scheduler } from './scheduler.ts';

/** A statement on its way to a server, or waiting there. */
export interface Statement {
  readonly session: Session;
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Sends the reply; only the first one counts. */
  readonly reply: (outcome: Outcome) => void;
}

export type Outcome = { readonly rows: readonly object[] } | { readonly error: Error };

/** What a session is connected to. */
export interface StatementReceiver {
  readonly process: Process;
  /** How long a message to or from the server takes. */
  drawDelay(): number;
  receive(statement: Statement): void;
  /** The client has closed a connection. */
  forget(session: Session): void;
}

/** One connection to a server; its statements are answered one after another. */
export class Session {
  /** Whether the connection is lost: every later statement fails. */
  isBroken = false;
  /** The transaction, as the server keeps it. */
  transaction: object | undefined;
  readonly cursors = new Map<string, readonly object[]>();
  /** Rejects the statements that are not answered yet. */
  readonly #waiting = new Map<Statement, (cause: Error) => void>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly server: StatementReceiver,
  ) {}

  run(sql: string, values: readonly unknown[] = []): Promise<readonly object[]> {
    const { scheduler, server } = this;
    const client = scheduler.current;
    const { promise, resolve, reject } = Promise.withResolvers<readonly object[]>();
    if (this.isBroken) {
      reject(createConnectionError('CLOSED'));
      return promise;
    }
    const settle = (outcome: Outcome) => {
      this.#waiting.delete(statement);
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.rows);
    };
    const statement: Statement = {
      session: this,
      sql,
      values,
      reply: (outcome) =>
        scheduler.after(server.drawDelay(), 'reply', () => settle(outcome), client),
    };
    this.#waiting.set(statement, reject);
    const receive = () => server.receive(statement);
    scheduler.after(server.drawDelay(), 'statement', receive, server.process);
    return promise;
  }

  /** The server closes the connection: the client learns of it a little later. */
  break(): void {
    this.isBroken = true;
    for (const statement of this.#waiting.keys())
      statement.reply({ error: createConnectionError('CLOSED') });
  }

  /** The client closes the connection; statements that the server has got may still be run. */
  close(): void {
    this.isBroken = true;
    for (const reject of this.#waiting.values()) reject(createConnectionError('CLOSED'));
    this.server.forget(this);
  }
}

/** An error of the driver about a connection. */
export function createConnectionError(kind: 'CLOSED' | 'REFUSED'): Error {
  return new SQL.PostgresError(`connection ${kind.toLowerCase()}`, {
    code: `ERR_POSTGRES_CONNECTION_${kind}`,
  });
}

/** An error that a server replies with. */
export function createServerError(sqlState: string, message: string): Error {
  return new SQL.PostgresError(message, { code: 'ERR_POSTGRES_SERVER_ERROR', errno: sqlState });
}
