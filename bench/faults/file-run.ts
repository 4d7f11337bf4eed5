import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { FaultTimes } from '../../test/simulation/fault-times.ts';
import {
  drawChange,
  getDataset,
  type Model,
  type SimulatedChange,
} from '../../test/simulation/model.ts';
import { spawnTenor } from '../../test/support/run-tenor.ts';
import { defineRealStep, type FaultRun } from './fault-kind.ts';
import { publishOlderQuotes } from './older-quotes.ts';
import type { LastRevision, Publishing } from './published-history.ts';
import { RealWorld } from './real-world.ts';

const RETRY_MS = 100;
const DAYS = 20;
const LOAD_OPTIONS = [
  ...['--format', 'ndjson', '--replace', '--retire-many', '--correct-many', '--allow-empty'],
  ...['--future', 'allow'],
];

/** A server of a SQLite file, which is published to by `tenor load`. */
export class FileRun implements FaultRun {
  readonly world: RealWorld;
  /** The folder of the database. */
  readonly folder: string;
  /** When its file system was full. */
  readonly fullTimes = new FaultTimes();
  readonly #url: string;
  /** How long the last complete load took. */
  #loadMs = 1_000;

  private constructor(
    private readonly root: string,
    private readonly release: () => void,
    seed: number,
    first: Model,
  ) {
    this.folder = getFolder(root);
    this.#url = getUrl(root);
    const settings = { DATABASE_URL: this.#url };
    this.world = new RealWorld(seed, settings, this.createPublishing(), first);
  }

  /** `prepare` may make the folder a file system of its own, and returns what undoes that. */
  static async start(
    seed: number,
    prepare: (folder: string) => () => void = () => () => {},
  ): Promise<FileRun> {
    const root = mkdtempSync(join(tmpdir(), 'tenor-faults-'));
    mkdirSync(getFolder(root));
    const release = prepare(getFolder(root));
    return new FileRun(root, release, seed, await publishOlderQuotes(getUrl(root), DAYS));
  }

  /** Publishes by loads; they are killed after a part of the time of the last one, if that is given. */
  createPublishing(killedAtPercent?: number): Publishing {
    return {
      attempt: ({ dataset }, stamp, after) =>
        this.#load(
          dataset,
          stamp,
          after,
          killedAtPercent && (killedAtPercent / 100) * this.#loadMs,
        ),
      readLast: () => this.#readLast(),
      isDisturbed: (startedMs) =>
        killedAtPercent !== undefined ||
        !this.fullTimes.isCalm(startedMs, this.world.scheduler.nowMs),
    };
  }

  async stop(): Promise<void> {
    this.release();
    rmSync(this.root, { recursive: true });
  }

  async #load(
    dataset: SimulatedChange['dataset'],
    stamp: number,
    after: Model,
    killedAfterMs: number | undefined,
  ): Promise<void> {
    const file = join(this.root, `publication ${stamp}`);
    writeFileSync(file, after.formatExport(dataset));
    const startedMs = performance.now();
    const args = ['load', getDataset(dataset).name, file, ...LOAD_OPTIONS];
    const child = spawnTenor(args, { DATABASE_URL: this.#url });
    if (killedAfterMs !== undefined) {
      await Promise.race([Bun.sleep(killedAfterMs), child.exited]);
      child.kill('SIGKILL');
    }
    const [status, text] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    rmSync(file);
    if (status !== 0) throw new Error(`the load ended with status ${status}: ${text}`);
    this.#loadMs = performance.now() - startedMs;
  }

  async #readLast(): Promise<LastRevision> {
    for (;;) {
      try {
        const reader = (await openStore(this.#url, catalogue, { preparation: 'none' })).reader();
        const [last] = await reader.revisions().finally(reader.close);
        if (last) return last;
      } catch {
        await Bun.sleep(RETRY_MS);
      }
    }
  }
}

const getFolder = (root: string) => join(root, 'database');
const getUrl = (root: string) => `sqlite:${join(getFolder(root), 'x.db')}`;

export const killLoad = defineRealStep<FileRun, { change: SimulatedChange; percent: number }>({
  weight: () => 6,
  isFault: true,
  draw: (random) => ({ change: drawChange(random), percent: random.integer(10, 110) }),
  concerns: () => ['publications'],
  apply: (run, { change, percent }) => run.world.publish(change, run.createPublishing(percent)),
});
