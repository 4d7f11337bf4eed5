import { setDefaultTimeout, spyOn } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { CommandError, parseCommandLine, UsageError } from '../../src/cli/command.ts';
import { queryCommand as command } from '../../src/cli/commands/query.ts';
import { parseSettings } from '../../src/settings.ts';
import { readFixture } from '../support/fixtures.ts';
import type { CommandResult } from '../support/run-tenor.ts';
import type { TestStore } from '../support/store.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

export const ONLINE = onlineBankingAnnualVolume.name;
export const FUND = String(readFixture(fundAllocation)[0]?.fund_id);

/** A filled store and a server on it for all tests of a file, and queries that run on them. */
export function createQueryWorkspace() {
  // Some tests start the command several times, on a machine that may be busy.
  setDefaultTimeout(120_000);
  const server = useTestServer(createFilledStore);
  const query = (...args: string[]) => queryOn(server.store, ...args);
  return {
    server,
    query,
    /** Runs queries one after the other, since they share standard output. */
    async queryEach(...calls: string[][]): Promise<CommandResult[]> {
      const results: CommandResult[] = [];
      for (const args of calls) results.push(await query(...args));
      return results;
    },
    /** The body of the server's response. */
    async fetchBody(target: string, accept = 'application/json'): Promise<string> {
      return (await server.request(target, { accept })).text();
    },
  };
}

/** Runs the command in this process, which is faster than starting it. */
export async function queryOn({ url }: TestStore, ...args: string[]): Promise<CommandResult> {
  const output = { out: '', err: '' };
  const capture = (name: 'out' | 'err') => (text: unknown) => {
    output[name] += text;
    return true;
  };
  const spies = [
    spyOn(process.stdout, 'write').mockImplementation(capture('out')),
    spyOn(process.stderr, 'write').mockImplementation(capture('err')),
  ];
  try {
    const settings = () => parseSettings({ DATABASE_URL: url });
    await command.run({ ...parseCommandLine(command, args), settings });
    return { status: 0, ...output };
  } catch (cause) {
    if (!(cause instanceof UsageError || cause instanceof CommandError)) throw cause;
    output.err += `tenor: ${cause.message}\n`;
    return { status: cause instanceof UsageError ? 2 : 1, ...output };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
