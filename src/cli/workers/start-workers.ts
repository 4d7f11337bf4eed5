import type { EmitEvent } from '../../event-log.ts';
import type { FollowStatus } from '../../follow/follow-status.ts';
import { createSharedNumberFile } from '../../http/freshness/shared-revision.ts';
import type { MonitoredServer } from '../../http/server/start-server.ts';
import type { Settings } from '../../settings.ts';
import { SILENCE_TICK_MS } from '../../shared/silence-meter.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { StoreMigratedError } from '../../store/errors.ts';
import { claimPort } from './claim-port.ts';
import { GroupMonitor } from './group-monitor.ts';
import { type FollowMessage, type GroupMessage, WorkerProcess } from './worker-process.ts';

/** Slightly more than a worker allows for requests in flight. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
/** Much more than the interval of polling the store. */
const MIGRATION_TIMEOUT_MS = 3_000;

/**
 * Serves from several processes on one port, and replaces each that dies or hangs. Rejects if one of them
 * cannot serve at startup.
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
    group.startKillingHung();
    const { monitor, migration, startDraining, setFollowStatus } = group;
    const handlers = { startDraining, stop, setFollowStatus };
    return { address, ...handlers, monitor, migration: migration.promise };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

class WorkerGroup {
  readonly monitor = new GroupMonitor<WorkerProcess>();
  readonly migration = Promise.withResolvers<StoreMigratedError>();
  private readonly revisionFile = createSharedNumberFile();
  /** Pauses grow if others hang soon after, because the machine may be the cause. */
  private readonly getPauseMs = createRestartBackoff(1_000, 60_000);
  private readonly migrated = new Set<WorkerProcess>();
  private hungTimer: Timer | undefined;
  private scrubbing: WorkerProcess | undefined;
  private scrubFindings: GroupMessage | undefined;
  private followMessage: FollowMessage | undefined;

  add(port: number): WorkerProcess {
    const worker = new WorkerProcess(port, this.revisionFile.path, {
      onGroupMessage: (message) => this.relay(worker, message),
      onReport: (id, report) => this.monitor.receive(id, report),
      onMigration: (migration) => this.noteMigration(worker, migration),
    });
    this.monitor.add(worker);
    if (this.scrubFindings) worker.send(this.scrubFindings);
    if (this.followMessage) worker.send(this.followMessage);
    this.assignScrub();
    worker.exit.then(() => {
      this.monitor.remove(worker);
      this.assignScrub();
    });
    return worker;
  }

  /** Ends once all workers have noticed the migration and logged it, or after a timeout. */
  private noteMigration(worker: WorkerProcess, migration: StoreMigratedError): void {
    this.migrated.add(worker);
    const end = () => this.migration.resolve(migration);
    if (this.monitor.workers.every((each) => this.migrated.has(each))) end();
    else system.setTimeout(end, MIGRATION_TIMEOUT_MS).unref();
  }

  private relay(sender: WorkerProcess, message: GroupMessage): void {
    if (message.kind === 'scrubNews' && 'faults' in message.news) this.scrubFindings = message;
    for (const worker of this.monitor.workers) if (worker !== sender) worker.send(message);
  }

  /** One worker scrubs; if it dies, another one takes over. */
  private assignScrub(): void {
    const { isStopping, workers } = this.monitor;
    if (isStopping || (this.scrubbing && workers.includes(this.scrubbing))) return;
    [this.scrubbing] = workers;
    this.scrubbing?.send({ kind: 'scrub' });
  }

  /** Kills unresponsive workers one after the other, so that they are restarted. */
  startKillingHung(): void {
    let killedMs = Number.NEGATIVE_INFINITY;
    let pauseMs = 0;
    this.hungTimer = system.setInterval(() => {
      for (const worker of this.monitor.workers) {
        const silentMs = worker.measureSilence();
        const nowMs = system.monotonicNow();
        if (silentMs === undefined || nowMs - killedMs < pauseMs) continue;
        pauseMs = this.getPauseMs(nowMs - killedMs);
        killedMs = nowMs;
        worker.kill(`it did not respond for ${(silentMs / 1_000).toFixed(1)} s`);
      }
    }, SILENCE_TICK_MS);
  }

  readonly setFollowStatus = (status: FollowStatus): void => {
    this.followMessage = { kind: 'follow', status };
    for (const worker of this.monitor.workers) worker.send(this.followMessage);
  };

  readonly startDraining = (): void => {
    this.monitor.isStopping = true;
    for (const worker of this.monitor.workers) worker.send({ kind: 'drain' });
  };

  async stop(): Promise<void> {
    this.hungTimer?.cancel();
    const { workers } = this.monitor;
    this.monitor.isStopping = true;
    for (const worker of workers) worker.send({ kind: 'stop' });
    const killAll = () => workers.map((worker) => worker.kill());
    const killTimer = system.setTimeout(killAll, SHUTDOWN_TIMEOUT_MS);
    await Promise.all(workers.map(({ exit }) => exit));
    killTimer.cancel();
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
    const startedMs = system.monotonicNow();
    const { pid } = worker;
    worker.address.then(
      () => emit({ event: 'worker.started', pid }),
      () => {},
    );
    const exit = await worker.exit;
    if (group.monitor.isStopping) return;
    emit({ event: 'worker.died', ...exit });
    group.monitor.restarts++;
    await system.sleep(getBackoffMs(system.monotonicNow() - startedMs));
  }

  async function restart(): Promise<WorkerProcess | undefined> {
    while (!group.monitor.isStopping) {
      try {
        return group.add(port);
      } catch (cause) {
        // The machine may allow a new process later.
        emit({ event: 'worker.failed', cause: String(cause) });
        await system.sleep(getBackoffMs(0));
      }
    }
    return undefined;
  }
}

const MAX_BACKOFF_MS = 10_000;

/** Creates the delays before restarts: each twice as long as the last, unless the process was stable. */
export function createRestartBackoff(
  initialMs = 50,
  stableAfterMs = 10_000,
): (uptimeMs: number) => number {
  let failures = 0;
  return (uptimeMs) => {
    if (uptimeMs >= stableAfterMs) failures = 0;
    return Math.min(MAX_BACKOFF_MS, initialMs * 2 ** failures++);
  };
}
