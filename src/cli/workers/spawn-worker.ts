import { fileURLToPath } from 'node:url';
import type { WorkerExit } from '../../event-log.ts';
import { CommandError } from '../command.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';
import { relayLines } from './relay-lines.ts';

/** A process that serves beside others. */
export interface WorkerProcess {
  readonly pid: number;
  /** Its address, as soon as it serves; rejected where it ends before. */
  readonly address: Promise<string>;
  /** How it ended, when all that it logged is written. */
  readonly exit: Promise<WorkerExit>;
  /** Does nothing where it has ended. */
  send(order: SupervisorMessage): void;
  kill(): void;
}

type OnUsage = (report: WorkerMessage & { kind: 'let through' }) => void;

const WORKER_FILE = fileURLToPath(import.meta.resolve('./worker.ts'));

/** Starts a worker. It reads the settings itself, from the environment that it inherits. */
export function spawnWorker(port: number, told: OnUsage): WorkerProcess {
  const serving = Promise.withResolvers<string>();
  // Whoever waits for it hears of it; after a restart nobody does.
  serving.promise.catch(() => {});
  let cause: string | undefined;
  const child = Bun.spawn([process.execPath, WORKER_FILE], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    // The terminal's signals are for the supervisor, which stops its workers in order.
    detached: true,
    ipc(report: WorkerMessage) {
      if (report.kind === 'let through') told(report);
      else if (report.kind === 'serving') serving.resolve(report.address);
      else {
        cause = report.message;
        serving.reject(Object.assign(new CommandError(report.message), { code: report.code }));
      }
    },
  });
  const relayed = relayLines(child.stderr, (lines) => process.stderr.write(lines));
  const ended = Promise.all([child.exited, relayed]).then((): WorkerExit => {
    const { pid, exitCode, signalCode } = child;
    const signal = signalCode === null ? null : String(signalCode);
    const code = signal === null ? exitCode : null;
    const how = signal ?? `exit code ${code}`;
    serving.reject(new CommandError(`a worker ended before it could serve (${how})`));
    return { pid, code, signal, ...(cause !== undefined && { cause }) };
  });
  const send = (order: SupervisorMessage) => {
    try {
      child.send(order);
    } catch {
      // It is about to be known that it has ended.
    }
  };
  send({ kind: 'serve', port, isForPeople: process.stderr.isTTY ?? false });
  return { pid: child.pid, address: serving.promise, exit: ended, send, kill: () => child.kill(9) };
}
