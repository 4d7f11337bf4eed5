import type { EmitEvent } from '../../event-log.ts';
import { createSharedNumberFile } from '../../http/freshness/shared-revision.ts';
import type { MonitoredServer } from '../../http/server/start-server.ts';
import type { Settings } from '../../settings.ts';
import type { StoreMigratedError } from '../../store/errors.ts';
import { claimPort } from './claim-port.ts';
import { GroupMonitor } from './group-monitor.ts';
import { type GroupMessage, WorkerProcess } from './worker-process.ts';

/** A little more than a worker gives its requests in flight. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Serves from several processes on one port, and replaces each that dies. Rejects if one of them
 * cannot serve at the start.
 */
export async function startWorkers(
  { host, port, workers }: Pick<Settings, 'host' | 'port' | 'workers'>,
  emit: EmitEvent,
): Promise<MonitoredServer> {
  const releasePort = claimPort(host, port);
  const group = new WorkerGroup();
  const stop = async () => {
    await group.stop();
    releasePort();
  };
  try {
    const first = group.add(port);
    const address = await first.address;
    const sharedPort = port || Number(new URL(address).port);
    const all = [first, ...Array.from({ length: workers - 1 }, () => group.add(sharedPort))];
    await Promise.all(all.map((worker) => worker.address));
    for (const worker of all) keepWorkerRunning(group, worker, sharedPort, emit);
    const { monitor, migration } = group;
    return { address, stop, monitor, migration: migration.promise };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

class WorkerGroup {
  readonly monitor = new GroupMonitor<WorkerProcess>();
  readonly migration = Promise.withResolvers<StoreMigratedError>();
  private readonly revisionFile = createSharedNumberFile();
  private scrubbing: WorkerProcess | undefined;
  private scrubFindings: GroupMessage | undefined;

  add(port: number): WorkerProcess {
    const worker = new WorkerProcess(port, this.revisionFile.path, {
      onGroupMessage: (message) => this.relay(worker, message),
      onReport: (id, report) => this.monitor.receive(id, report),
      onMigration: this.migration.resolve,
    });
    this.monitor.add(worker);
    if (this.scrubFindings) worker.send(this.scrubFindings);
    this.assignScrub();
    worker.exit.then(() => {
      this.monitor.remove(worker);
      this.assignScrub();
    });
    return worker;
  }

  private relay(sender: WorkerProcess, message: GroupMessage): void {
    if (message.kind === 'scrubFindings') this.scrubFindings = message;
    for (const worker of this.monitor.workers) if (worker !== sender) worker.send(message);
  }

  /** One worker scrubs; when it dies, another one takes over. */
  private assignScrub(): void {
    const { isStopping, workers } = this.monitor;
    if (isStopping || (this.scrubbing && workers.includes(this.scrubbing))) return;
    [this.scrubbing] = workers;
    this.scrubbing?.send({ kind: 'scrub' });
  }

  async stop(): Promise<void> {
    const { workers } = this.monitor;
    this.monitor.isStopping = true;
    for (const worker of workers) worker.send({ kind: 'stop' });
    const killTimer = setTimeout(() => workers.map((worker) => worker.kill()), SHUTDOWN_TIMEOUT_MS);
    await Promise.all(workers.map(({ exit }) => exit));
    clearTimeout(killTimer);
    this.revisionFile.close();
  }
}

/** Restarts a worker whenever it dies, until the group stops. */
async function keepWorkerRunning(
  group: WorkerGroup,
  first: WorkerProcess,
  port: number,
  emit: EmitEvent,
): Promise<void> {
  const getBackoffMs = createRestartBackoff();
  for (let worker: WorkerProcess | undefined = first; worker; worker = await restart()) {
    const startedMs = performance.now();
    const { pid } = worker;
    worker.address.then(
      () => emit({ event: 'worker.started', pid }),
      () => {},
    );
    const exit = await worker.exit;
    if (group.monitor.isStopping) return;
    emit({ event: 'worker.died', ...exit });
    group.monitor.restarts++;
    await Bun.sleep(getBackoffMs(performance.now() - startedMs));
  }

  async function restart(): Promise<WorkerProcess | undefined> {
    while (!group.monitor.isStopping) {
      try {
        return group.add(port);
      } catch (cause) {
        // The machine may allow another process later.
        emit({ event: 'worker.failed', cause: String(cause) });
        await Bun.sleep(getBackoffMs(0));
      }
    }
    return undefined;
  }
}

/** The backoff starts again after a worker has run for this long. */
const STABLE_AFTER_MS = 10_000;
const INITIAL_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 10_000;

/** Creates the waits before restarts: each twice as long, unless the process was stable. */
export function createRestartBackoff(): (uptimeMs: number) => number {
  let failures = 0;
  return (uptimeMs) => {
    if (uptimeMs >= STABLE_AFTER_MS) failures = 0;
    return Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** failures++);
  };
}
