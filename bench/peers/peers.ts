import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickDay, pickHistory } from '../cold/requests.ts';
import { compareRequestRates } from '../compare-rates.ts';
import { createQuotesFile, fileMarket } from '../generate-quotes-file.ts';
import { loadQuotes, removeDatabase } from '../loads.ts';
import { FOLDER } from '../million-quotes.ts';
import { formatRateRow, type ResultRow } from '../result-table.ts';
import { AUTHORIZATION_HEADERS, type ServerProcess, startTenor } from '../server-processes.ts';
import { hasSqlite, measureImport } from '../sqlite-import.ts';
import { DATASETTE_FILE, datasette } from './datasette.ts';
import { startNginx } from './nginx.ts';
import { installPeer, type Peer, type PeerData, type PeerTargets } from './peer.ts';
import { roapi } from './roapi.ts';

const MILLION = 1_000_000;
const TENOR_DATABASE = join(FOLDER, 'peers-tenor.db');
const LATEST = '/2.0/bnb/quote';
/** Peers are slow: few connections keep them busy, and rounds are long. */
const CONNECTIONS = 8;
const ROUNDS = { rounds: 5, seconds: 4 };
/** More than the fastest side answers in a round. */
const TARGETS = 80_000;

/** Compares Tenor with other servers, by the same data and requests. */
export async function benchmarkPeers(): Promise<ResultRow[]> {
  const url = `sqlite:${TENOR_DATABASE}`;
  mkdirSync(FOLDER, { recursive: true });
  removeDatabase(TENOR_DATABASE);
  const installed = mkdtempSync(join(tmpdir(), 'tenor-peers-'));
  const file = await createQuotesFile(MILLION);
  await loadQuotes(url, file);
  const rows: ResultRow[] = [];
  if (Bun.which('nginx')) rows.push(...(await compareWithNginx(url)));
  else console.error('nginx is skipped: it is not on the path');
  const tenor = await startTenor(url);
  try {
    const data = await createPeerData(tenor, file);
    for (const peer of [datasette, roapi]) {
      const command = await installPeer(installed, peer);
      rows.push(...(await compareWithPeer(tenor, peer, command, data)));
    }
  } finally {
    await tenor.stop();
    removeDatabase(TENOR_DATABASE);
    rmSync(installed, { recursive: true, force: true });
  }
  return rows;
}

/** The latest snapshot, cached, compared with the same bytes as a file. */
async function compareWithNginx(url: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const log of ['all', 'off'] as const) {
    const tenor = await startTenor(url, { LOG_REQUESTS: log });
    const response = await fetch(tenor.address + LATEST, {
      headers: { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' },
    });
    const nginx = await startNginx(LATEST, response, log);
    const load = { targets: [LATEST], headers: AUTHORIZATION_HEADERS };
    const comparison = await compareRequestRates(
      { ...load, address: tenor.address },
      { ...load, address: nginx.address },
    ).finally(() => Promise.all([tenor.stop(), nginx.stop()]));
    const label = `the latest snapshot of 100 quotes, cached, ${log === 'all' ? 'with the log' : 'without a log'}`;
    rows.push(formatRateRow(label, comparison, 'nginx, the same bytes as a file', '–'));
  }
  return rows;
}

/** The same quotes in the files that peers read. */
async function createPeerData(tenor: ServerProcess, csv: string): Promise<PeerData> {
  if (!hasSqlite) throw new Error('peers need sqlite3 to import their data');
  const [sqlite, parquet] = [join(FOLDER, DATASETTE_FILE), join(FOLDER, 'quotes.parquet')];
  removeDatabase(sqlite);
  await measureImport(sqlite, csv, 'after');
  await Bun.write(
    parquet,
    await fetch(`${tenor.address}/exports/quotes.parquet`, { headers: AUTHORIZATION_HEADERS }),
  );
  return { sqlite, parquet };
}

const TENOR_TARGETS: PeerTargets = {
  history: (symbol, from, to) => `/2.0/bnb/quote?symbol=${symbol}&from=${from}&to=${to}`,
  snapshot: (day, limit) => `/2.0/bnb/quote?date=${day}&limit=${limit}`,
};

async function compareWithPeer(
  tenor: ServerProcess,
  { name, start, targets, aim }: Peer,
  command: string,
  data: PeerData,
): Promise<ResultRow[]> {
  const peer = await start(command, data);
  const rows: ResultRow[] = [];
  try {
    for (const kind of ['history', 'snapshot'] as const) {
      await assertSameRecords(tenor, peer, targets, kind);
      const createLoad = (server: ServerProcess, from: PeerTargets) => (round: number) => ({
        address: server.address,
        targets: Array.from({ length: TARGETS }, (_, index) =>
          buildTarget(from, kind, round * TARGETS + index),
        ),
        headers: AUTHORIZATION_HEADERS,
        connections: CONNECTIONS,
      });
      const comparison = await compareRequestRates(
        createLoad(tenor, TENOR_TARGETS),
        createLoad(peer, targets),
        ROUNDS,
      );
      rows.push(formatRateRow(`${LABELS[kind]}, uncached`, comparison, name, aim));
    }
  } finally {
    await peer.stop();
  }
  return rows;
}

const LABELS = {
  history: '100-record history of one security',
  snapshot: 'snapshot of about 100 records of one day',
};

/** Another question in each iteration, so that no response is cached. */
function buildTarget(targets: PeerTargets, kind: keyof PeerTargets, iteration: number): string {
  if (kind === 'snapshot')
    return targets.snapshot(pickDay(fileMarket, iteration), 95 + (iteration % 11));
  const { name, from, to } = pickHistory(fileMarket.symbols, fileMarket.days, iteration);
  return targets.history(name, from, to);
}

async function assertSameRecords(
  tenor: ServerProcess,
  peer: ServerProcess,
  targets: PeerTargets,
  kind: keyof PeerTargets,
): Promise<void> {
  const fetchJson = async (url: string) =>
    (await fetch(url, { headers: AUTHORIZATION_HEADERS })).json();
  const ours = (await fetchJson(tenor.address + buildTarget(TENOR_TARGETS, kind, 1))) as {
    data: unknown[];
  };
  const theirs = await fetchJson(peer.address + buildTarget(targets, kind, 1));
  if (!Bun.deepEquals(ours.data, theirs)) throw new Error(`${kind}: the answers differ`);
}
