import { afterEach, beforeEach } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTenorServer, type TenorServer } from './run-tenor.ts';
import { spawnChild } from './spawn-child.ts';
import { createTempFolder } from './store.ts';

/** A folder with a database, not made yet, for each test of a file, and servers that end with it. */
export function useServingWorkspace() {
  const workspace = { folder: '', database: '' };
  let servers: TenorServer[] = [];
  beforeEach(() => {
    workspace.folder = createTempFolder();
    workspace.database = join(workspace.folder, 'x.db');
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    servers = [];
    rmSync(workspace.folder, { recursive: true });
  });

  /** Starts a server without the sample. */
  async function start(
    settings: Record<string, string> = {},
    command?: string[],
  ): Promise<TenorServer> {
    const server = await startTenorServer(
      { DATABASE_URL: `sqlite:${workspace.database}`, SAMPLE_DATA: 'off', ...settings },
      command,
    );
    servers.push(server);
    return server;
  }
  return { workspace, start };
}

/** Runs the curl line that the server prints. */
export async function runCurlLine(
  server: TenorServer,
  settings: Record<string, string> = {},
): Promise<unknown> {
  const line = /curl .*/.exec(server.out())?.[0] ?? '';
  const child = spawnChild(['sh', '-c', `${line} --silent`], {
    env: { ...process.env, ...settings },
  });
  return new Response(child.stdout).json();
}

export const findToken = (text: string) => /tenor_[\w-]+/.exec(text)?.[0] ?? '';

/** The link to the explorer that the server prints. */
export const findLink = (text: string) => /^Explorer: (\S+)$/m.exec(text)?.[1] ?? '';
