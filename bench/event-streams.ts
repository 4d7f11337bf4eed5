import { connect, type Socket } from 'node:net';
import { fundAllocation } from '../src/catalogue/datasets/fund-allocation.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore, type Store } from '../src/store/open-store.ts';
import { issueToken } from '../src/tokens/issue-token.ts';
import { FOLDER } from './million-quotes.ts';
import { getResidentMegabytes } from './process-usage.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { startTenor } from './server-processes.ts';
import { median } from './statistics.ts';

const LISTENERS = 1_000;
const LISTENERS_PER_TOKEN = 100;
const MAX_MEGABYTES = 30;
const PUBLICATIONS = 10;
const MAX_SECONDS = 1;
/** Idle streams cost what they hold once garbage is collected. */
const SETTLE_MS = 5_000;

/** Memory of listeners of /events, and how soon the last one knows of a revision. */
export async function benchmarkEventStreams(): Promise<ResultRow[]> {
  const url = `sqlite:${FOLDER}/events.db`;
  const server = await startTenor(url, { LOG_REQUESTS: 'off' });
  try {
    const store = await openStore(url, catalogue);
    const secrets = await issueSecrets(store.tokens(), LISTENERS / LISTENERS_PER_TOKEN);
    await Bun.sleep(SETTLE_MS);
    const before = getResidentMegabytes(server.pid);
    const listeners = await Promise.all(
      Array.from({ length: LISTENERS }, (_, index) =>
        openListener(server.address, secrets[index % secrets.length] ?? ''),
      ),
    );
    const latencies = await measureLatencies(store, listeners);
    await Bun.sleep(SETTLE_MS);
    const megabytes = getResidentMegabytes(server.pid) - before;
    for (const listener of listeners) listener.close();
    return createRows(megabytes, latencies);
  } finally {
    await server.stop();
  }
}

/** Seconds from each publication until the last listener has it. */
async function measureLatencies(store: Store, listeners: readonly Listener[]): Promise<number[]> {
  const publisher = store.publisher();
  const latencies: number[] = [];
  for (let index = 0; index < PUBLICATIONS; index++) {
    const received = listeners.map((listener) => listener.nextEvent());
    const record = {
      ...fundAllocation.example,
      fund_id: 'bench',
      frequency: String(Math.random()),
    };
    const publication = { dataset: fundAllocation, source: 'bench', author: 'bench' };
    await publishRecords(publisher, { ...publication, records: [record] });
    const publishedMs = performance.now();
    await Promise.all(received);
    latencies.push((performance.now() - publishedMs) / 1_000);
  }
  publisher.close();
  return latencies;
}

function createRows(megabytes: number, latencies: readonly number[]): ResultRow[] {
  return [
    formatLimitRow(
      `memory of ${LISTENERS.toLocaleString('en')} listeners of /events, after ${PUBLICATIONS} publications`,
      `${megabytes.toFixed(1)} MB`,
      megabytes,
      MAX_MEGABYTES,
      'MB',
    ),
    formatLimitRow(
      `from a publication to the last of ${LISTENERS.toLocaleString('en')} listeners`,
      `${median(latencies).toFixed(2)} s, ${Math.max(...latencies).toFixed(2)} s at most`,
      Math.max(...latencies),
      MAX_SECONDS,
      's',
    ),
  ];
}

async function issueSecrets(
  tokens: Parameters<typeof issueToken>[0] & { close(): void },
  count: number,
): Promise<string[]> {
  const secrets: string[] = [];
  for (let index = 0; index < count; index++) {
    const terms = { name: 'bench', scopes: ['quotes', 'funds', 'alternate'], rate: null };
    secrets.push((await issueToken(tokens, { ...terms, expiresAt: null })).secret);
  }
  tokens.close();
  return secrets;
}

interface Listener {
  nextEvent(): Promise<void>;
  close(): void;
}

function openListener(address: string, secret: string): Promise<Listener> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let onEvent = () => {};
    const socket: Socket = connect(Number(port), hostname, () =>
      socket.write(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200'))
        reject(new Error(text.slice(0, 200)));
      resolve({
        nextEvent: () =>
          new Promise((received) => {
            onEvent = received;
          }),
        close: () => socket.destroy(),
      });
      if (text.includes('event: revision')) onEvent();
    });
  });
}
