import { type ServerProcess, toServerProcess } from '../server-processes.ts';

/** A server that answers the questions of Tenor from the same data. */
export interface Peer {
  readonly name: string;
  /** The command that it needs on the path, and how to install it. */
  readonly command: string;
  readonly installHint: string;
  /** How many times as fast Tenor should be. */
  readonly aim: string;
  start(data: PeerData): Promise<ServerProcess>;
  /** The request targets of questions, which ask for the records as a JSON array. */
  readonly targets: PeerTargets;
}

/** Files of the 1,000,000 quotes. */
export interface PeerData {
  /** The database of Tenor. */
  readonly tenor: string;
  /** A SQLite database with a column for each field, and the indexes of Tenor. */
  readonly sqlite: string;
  readonly parquet: string;
}

/** The requests for the records of a security in a range of days, and for those of a day. */
export interface PeerTargets {
  history(symbol: string, from: string, to: string): string;
  snapshot(day: string, limit: number): string;
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
