import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTenorServer } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The Python that examples are run with. */
export const PYTHON = process.env.PYTHON ?? 'python3';

/** A running server with sample data, and a folder to run the examples of a page in. */
export interface ExampleWorkspace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a program in the folder; throws with its output if it fails. */
  run(command: readonly string[], input?: string): Promise<string>;
  close(): Promise<void>;
}

export async function createExampleWorkspace(): Promise<ExampleWorkspace> {
  const folder = createTempFolder();
  const database = join(folder, 'data', 'tenor.db');
  mkdirSync(dirname(database));
  const server = await startTenorServer({ DATABASE_URL: `sqlite:${database}` });
  for (const name of ['bin', 'clients', 'examples', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
  // On a terminal, Bun passes FORCE_COLOR to the processes of its tests.
  const { FORCE_COLOR: _, ...inherited } = process.env as Record<string, string>;
  const env = {
    ...inherited,
    TENOR_URL: server.address,
    TENOR_TOKEN: readFileSync(`${database}.private/local-token`, 'utf8').trim(),
    PYTHONPATH: join(ROOT, 'clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    no_proxy: '*',
  };
  return {
    folder,
    env,
    async run(command, input = '') {
      const stdin = new Blob([input]);
      const child = spawnChild([...command], { cwd: folder, env, stdin, stderr: 'pipe' });
      const [out, err, status] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      if (status !== 0) throw new Error(`${command[0]} ended with ${status}\n${out}\n${err}`);
      return out;
    },
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether a command exists and succeeds. */
export function canRun(...command: [string, ...string[]]): boolean {
  return Bun.which(command[0]) !== null && Bun.spawnSync(command).success;
}
