import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { findFreePort } from '../../../test/support/free-port.ts';
import { createPostmaster, type Postmaster } from '../../../test/support/postgres/postmaster.ts';
import { runAsOwner } from '../../../test/support/postgres/run-as-owner.ts';
import { createServerFolder } from '../../../test/support/postgres/temp-folder.ts';

export interface ClusterNode extends Postmaster {
  readonly port: number;
}

export interface Cluster {
  /** The coordinator's URL of the database `tenor`. */
  readonly url: string;
  readonly workers: readonly ClusterNode[];
  /** Runs a statement on the coordinator. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

const WORKERS = 2;
export const NODE_HOST = '127.0.0.1';
const SETTINGS = `
shared_preload_libraries = 'citus'
listen_addresses = '${NODE_HOST}'
unix_socket_directories = ''
wal_level = logical
max_connections = 200
fsync = off
citus.shard_count = 8
`;

/** Starts a coordinator and two workers of the PostgreSQL in a folder, which must have Citus. */
export async function startCluster(binaries: string): Promise<Cluster> {
  const nodes: ClusterNode[] = [];
  for (let index = 0; index <= WORKERS; index++)
    nodes.push(await startNode(binaries, findFreePort()));
  const [coordinator, ...workers] = nodes;
  for (const { port } of nodes) {
    await runSql(getUrl(port, 'postgres'), 'CREATE DATABASE tenor');
    await runSql(getUrl(port, 'tenor'), 'CREATE EXTENSION citus');
  }
  const url = getUrl(coordinator?.port ?? 0, 'tenor');
  await runSql(url, `SELECT citus_set_coordinator_host('${NODE_HOST}', ${coordinator?.port})`);
  for (const { port } of workers)
    await runSql(url, `SELECT citus_add_node('${NODE_HOST}', ${port})`);
  return {
    url,
    workers,
    query: (sql) => runSql(url, sql),
    async stop() {
      for (const node of nodes) await node.kill();
    },
  };
}

async function startNode(binaries: string, port: number): Promise<ClusterNode> {
  const folder = createServerFolder();
  const data = join(folder.path, 'data');
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  await runAsOwner(folder.path, join(binaries, 'initdb'), args);
  appendFileSync(join(data, 'postgresql.conf'), SETTINGS);
  const postmaster = createPostmaster(folder, port, () => binaries);
  await postmaster.start();
  return Object.assign(postmaster, { port });
}

function getUrl(port: number, database: string): string {
  return `postgres://postgres@${NODE_HOST}:${port}/${database}`;
}

async function runSql<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const connection = new SQL(url, { max: 1 });
  try {
    return await connection.unsafe(sql);
  } finally {
    await connection.close({ timeout: 0 });
  }
}
