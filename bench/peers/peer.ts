import { join } from 'node:path';
import { runCommand, type ServerProcess, toServerProcess } from '../server-processes.ts';

/** A server that answers the questions of Tenor from the same data. */
export interface Peer {
  readonly name: string;
  /** The package of pip, with its version, and its command. */
  readonly package: string;
  readonly command: string;
  /** How many times as fast Tenor should be. */
  readonly aim: string;
  start(command: string, data: PeerData): Promise<ServerProcess>;
  /** The request targets of questions, which ask for the records as a JSON array. */
  readonly targets: PeerTargets;
}

/** Files of the 1,000,000 quotes. */
export interface PeerData {
  /** A SQLite database with a column for each field, and the indexes of Tenor. */
  readonly sqlite: string;
  readonly parquet: string;
}

/** The requests for the records of a security in a range of days, and for those of a day. */
export interface PeerTargets {
  history(symbol: string, from: string, to: string): string;
  snapshot(day: string, limit: number): string;
}

/** Installs a peer into a folder; returns the path of its command. */
export async function installPeer(folder: string, peer: Peer): Promise<string> {
  const environment = join(folder, peer.command);
  await runCommand(['python3', '-m', 'venv', environment]);
  await runCommand([join(environment, 'bin/pip'), 'install', '--quiet', peer.package]);
  return join(environment, 'bin', peer.command);
}

/** Starts a program that serves at an address, and waits until it does. */
export async function startPeer(
  command: readonly string[],
  address: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...settings },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await fetch(address).catch(() => undefined))) {
    if (performance.now() > deadline || child.exitCode !== null)
      throw new Error(`${command.join(' ')} did not start`);
    await Bun.sleep(100);
  }
  return toServerProcess(child, address);
}

const START_TIMEOUT_MS = 60_000;
