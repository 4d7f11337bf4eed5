import type { EmitEvent } from '../../event-log.ts';
import type { RunningServer } from '../../http/listen.ts';
import type { Settings } from '../../settings.ts';
import { claimPort } from './claim-port.ts';
import { createRestartBackoff } from './restart-backoff.ts';
import type { WorkerProcess } from './spawn-worker.ts';
import { spawnWorker } from './spawn-worker.ts';

/** A little more than workers give their own clients. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Serves from several processes on one port, and starts another in the place of each that dies.
 * The first start is refused where any of them cannot serve. Stopping stops all of them in order.
 */
export async function startWorkers(
  { host, port, workers }: Pick<Settings, 'host' | 'port' | 'workers'>,
  emit: EmitEvent,
): Promise<RunningServer> {
  const giveUpPort = claimPort(host, port);
  const team = createWorkerGroup();
  try {
    const first = team.add(port);
    const address = await first.address;
    const shared = port || Number(new URL(address).port);
    const all = [first, ...Array.from({ length: workers - 1 }, () => team.add(shared))];
    await Promise.all(all.map(({ address: serving }) => serving));
    for (const worker of all) keepWorkerRunning(team, worker, shared, emit);
    return {
      address,
      async stop() {
        await team.stop();
        giveUpPort();
      },
    };
  } catch (cause) {
    await team.stop();
    giveUpPort();
    throw cause;
  }
}

/** The workers that run. */
interface WorkerGroup {
  readonly isStopping: () => boolean;
  add(port: number): WorkerProcess;
  stop(): Promise<void>;
}

function createWorkerGroup(): WorkerGroup {
  const running = new Set<WorkerProcess>();
  let isStopping = false;
  return {
    isStopping: () => isStopping,
    add(port) {
      const worker = spawnWorker(port, ({ here }) => {
        for (const other of running)
          if (other !== worker) other.send({ kind: 'charge', there: here });
      });
      running.add(worker);
      worker.exit.then(() => running.delete(worker));
      return worker;
    },
    async stop() {
      isStopping = true;
      const all = [...running];
      for (const worker of all) worker.send({ kind: 'stop' });
      const forced = setTimeout(() => all.map((worker) => worker.kill()), SHUTDOWN_TIMEOUT_MS);
      await Promise.all(all.map(({ exit }) => exit));
      clearTimeout(forced);
    },
  };
}

/** Keeps a worker's place filled until the team stops. */
async function keepWorkerRunning(
  team: WorkerGroup,
  first: WorkerProcess,
  port: number,
  emit: EmitEvent,
): Promise<void> {
  const pauseAfter = createRestartBackoff();
  for (let worker: WorkerProcess | undefined = first; worker; worker = await another()) {
    const begunMs = performance.now();
    const { pid } = worker;
    worker.address.then(
      () => emit({ event: 'worker.started', pid }),
      () => {},
    );
    const death = await worker.exit;
    if (team.isStopping()) return;
    emit({ event: 'worker.died', ...death });
    await Bun.sleep(pauseAfter(performance.now() - begunMs));
  }

  async function another(): Promise<WorkerProcess | undefined> {
    while (!team.isStopping()) {
      try {
        return team.add(port);
      } catch (cause) {
        // A machine that has no process to spare now may have one later.
        emit({ event: 'worker.failed', cause: String(cause) });
        await Bun.sleep(pauseAfter(0));
      }
    }
    return undefined;
  }
}
