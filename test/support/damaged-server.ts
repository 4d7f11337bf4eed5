import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { createRandom } from '../../scripts/sample/random.ts';
import { createSamplePublications } from '../../scripts/sample/sample-publications.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { openStore } from '../../src/store/open-store.ts';
import { retryUntil } from './eventually.ts';
import { checkpoint } from './store.ts';
import { QUICK_PACE, SERVER_SETTINGS, TOKEN } from './test-server.ts';

const PLACE_BYTES = 16;

/** Writes random bytes to random places of a file; the same ones for the same seed. */
export function damageFile(path: string, places: number, seed: string): void {
  const { uniform } = createRandom(seed);
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  for (let place = 0; place < places; place++) {
    const bytes = Buffer.from(Array.from({ length: PLACE_BYTES }, () => uniform() * 256));
    writeSync(file, bytes, 0, PLACE_BYTES, Math.floor(uniform() * (size - PLACE_BYTES)));
  }
  closeSync(file);
}

/** A database with the publications of the sample; of quotes only those of some days. */
export async function createSampleFile(path: string, since = ''): Promise<void> {
  const store = await openStore(`sqlite:${path}`, catalogue);
  const publisher = store.publisher();
  for (const { records, at: _, ...publication } of createSamplePublications()) {
    const isKept = ({ date }: { readonly date?: unknown }) =>
      publication.dataset !== quotes || String(date) >= since;
    await publishRecords(publisher, { ...publication, records: records.filter(isKept) });
  }
  publisher.close();
  checkpoint(path);
}

export interface ServedFile {
  readonly server: Awaited<ReturnType<typeof startServer>>;
  readonly events: LogEvent[];
}

/** Serves a file in this process; undefined where a server refuses to start on it. */
export async function serveFile(path: string): Promise<ServedFile | undefined> {
  const events: LogEvent[] = [];
  try {
    const store = await openStore(`sqlite:${path}`, catalogue);
    const settings = { ...SERVER_SETTINGS, scrubInterval: 1_000 };
    const emit = (event: LogEvent) => events.push(event);
    const scrubPace = QUICK_PACE;
    return { server: await startServer({ store, catalogue, settings, emit, scrubPace }), events };
  } catch {
    return undefined;
  }
}

/** Waits until everything was checked once after this was called. */
export async function waitForScrub({ events }: ServedFile, timeoutMs: number): Promise<void> {
  const isFinished = ({ event }: LogEvent) => event === 'scrub.finished';
  const before = events.filter(isFinished).length;
  await retryUntil(timeoutMs, async () => {
    if (events.filter(isFinished).length === before)
      throw new Error(`no scrub has finished: ${JSON.stringify(events.slice(-8))}`);
  });
}

/** Targets that together read every table and index, and every operation that derives something. */
export function listTargets(revisions: number, symbols: readonly string[]): string[] {
  const names = catalogue.map(({ name }) => name);
  const numbers = Array.from({ length: revisions }, (_, index) => index + 1);
  return [
    ...catalogue.flatMap(({ paths }) => paths.flatMap((path) => [path, `${path}?limit=500`])),
    ...names.flatMap((name) => EXPORT_FORMATS.map((format) => `/exports/${name}.${format}`)),
    ...names.map((name) => `/exports/${name}.csv?as_of=${Math.ceil(revisions / 2)}`),
    ...names.flatMap((name) => [`/corrections/${name}?limit=1000`, `/changes/${name}?since=0`]),
    ...['quotes', 'fund-allocation', 'securities'].map((name) => `/vintages/${name}?limit=1000`),
    ...numbers.map((number) => `/revisions/${number}`),
    ...symbols.flatMap((symbol) => [
      `/2.0/bnb/quote?symbol=${symbol}&limit=1000`,
      `/2.0/bnb/quote?symbol=${symbol}&limit=1000&as_of=${revisions - 1}`,
      `/2.0/bnb/analytics?symbol=${symbol}&limit=5`,
    ]),
    ...['bond', 'tbill'].map((type) => `/2.0/bnb/quote?type=${type}&limit=100`),
    ...['/catalogue', '/datapackage.json', '/revisions?limit=1000', '/2.0/bnb/curve'],
    ...['/widgets.json', '/2.0/bnb/curve?as_of=2026-07-02', '/2.0/bnb/quote?as_of=3&limit=500'],
    ...[
      '/3.0/funds/allocation?fund_id=5a3b0f1e-0000-4000-8000-000000000001',
      '/2.0/bnb/quote?format=csv&limit=500',
    ],
  ];
}

/** The bodies of successful responses, as hashes, and the statuses of others. */
export async function readResponses(
  address: string,
  targets: readonly string[],
): Promise<Map<string, string | number>> {
  const responses = new Map<string, string | number>();
  for (const target of targets) {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const result = await fetch(`${address}${target}`, { headers })
      .then(async (response): Promise<string | number> => {
        const body = await response.arrayBuffer();
        if (response.status !== 200) return response.status;
        // Declarations name the port.
        const bytes = Buffer.from(body).toString('latin1').replaceAll(address, '');
        return String(Bun.hash.xxHash64(bytes));
      })
      // A download that was broken off.
      .catch(() => 503);
    responses.set(target, result);
  }
  return responses;
}
