import { join } from 'node:path';
import { createMessage } from '../test/support/mcp-client.ts';
import { loadGenerator, type RequestLoad } from './load-generator.ts';
import { FOLDER } from './million-quotes.ts';
import { readCpuSeconds } from './process-usage.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, type ServerProcess, startTenor } from './server-processes.ts';

const CALLS_PER_SECOND = 2_000;
const WARM_UP_SECONDS = 3;
const SECONDS = 5;

const TOOLS = {
  get_quotes: {},
  get_curve: {},
  get_series: { dataset: 'atm-transactions-quarterly-value' },
};

/** Measures the calls of tools that one process answers in a second. */
export async function benchmarkMcp(): Promise<ResultRow[]> {
  const server = await startTenor(`sqlite:${join(FOLDER, 'sample.db')}`, { LOG_REQUESTS: 'off' });
  try {
    const rows: ResultRow[] = [];
    for (const [name, args] of Object.entries(TOOLS)) {
      const message = createMessage('tools/call', { name, arguments: args });
      const legacy = { ...message.body, params: { name, arguments: args } };
      rows.push(
        await measureCalls(server, name, { ...message, version: '2026-07-28' }),
        await measureCalls(server, name, { body: legacy, headers: {}, version: '2025-11-25' }),
      );
    }
    return rows;
  } finally {
    await server.stop();
  }
}

interface CallLoad {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
}

async function measureCalls(
  { address, pid }: ServerProcess,
  name: string,
  { body, headers, version }: CallLoad,
): Promise<ResultRow> {
  const load: RequestLoad = {
    address,
    targets: ['/mcp'],
    headers: {
      ...AUTHORIZATION_HEADERS,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  };
  await loadGenerator.run(load, WARM_UP_SECONDS);
  const startedCpuSeconds = readCpuSeconds(pid);
  const rate = await loadGenerator.run(load, SECONDS);
  const cpuMs = ((readCpuSeconds(pid) - startedCpuSeconds) * 1_000) / (rate * SECONDS);
  return {
    label: `calls of ${name}, version ${version}`,
    measured: `${Math.round(rate)} calls/s, ${cpuMs.toFixed(2)} ms of processor time each`,
    baseline: `${CALLS_PER_SECOND} calls/s`,
    ratio: rate / CALLS_PER_SECOND,
    aim: '≥ 1',
  };
}
