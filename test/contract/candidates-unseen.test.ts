import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { declareKibor, KIBOR } from '../support/declared-rates.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { atRevision, listCurrentDoors, listPastDoors, readDoors } from '../support/every-door.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder, ENGINES, REPETITIONS, type TestStore } from '../support/store.ts';
import { SERVER_SETTINGS, type TestServer, TOKEN } from '../support/test-server.ts';

setDefaultTimeout(120_000);
const { removing } = closeAfterEach();

const OTHER_DOORS = [
  ...['/', '/docs', '/live', '/ready', '/releases?format=ics', '/sdmx/2.1/dataflow'],
  ...['/sdmx/2.1/dataflow/all/all/latest?references=all', '/sdmx/2.1/data/KIBOR'],
  '/sdmx/2/data/dataflow/TENOR/ONLINE_BANKING_ANNUAL_VOLUME',
];

/** What somebody asks who guesses names, values and revisions of candidates. */
const listGuesses = (newest: number) => [
  ...listPastDoors(['secret-rates']),
  ...listPastDoors([KIBOR.name]).map((door) => atRevision(door, newest + 1)),
  ...[`/datasets/${KIBOR.name}?tenor=secret`, `/changes/${KIBOR.name}?since=${newest}`],
  ...[`/revisions/${newest + 1}`, `/ledger/entries/${newest + 1}`, `/ledger/proof/${newest + 1}`],
  ...['/releases?dataset=secret-rates', `/vintages/${KIBOR.name}?date=2026-06-04&tenor=secret`],
];

async function startObservedServer(store: TestStore, newest: number, isEveryDoor: boolean) {
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const settings = { ...SERVER_SETTINGS, logRequests: 'off' } as const;
  const { address, monitor, stop } = await startServer({ store, catalogue, settings, emit });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const getJson = async (target: string) =>
    (await fetch(`${address}${target}`, { headers })).json();
  const server = { address, getJson, awaitPublished: async () => {} } as unknown as TestServer;
  const ofOperations = listOperationTargets().filter(({ isEventStream }) => !isEventStream);
  const doors = new Set([
    ...ofOperations.map(({ target }) => target),
    ...(isEveryDoor
      ? [
          ...listPastDoors([...catalogue.map(({ name }) => name), KIBOR.name]),
          ...(await listCurrentDoors(server, newest)),
          ...OTHER_DOORS,
          ...listGuesses(newest),
        ]
      : []),
  ]);
  return {
    stop,
    /** What clients of every scope, readers of the database and operators see. */
    async observe(): Promise<Record<string, unknown>> {
      const replies = await readDoors(server, doors, newest);
      const metrics = formatMetrics(await monitor.collectMetrics());
      const told = metrics.split('\n').filter((line) => /^tenor_\w*(revision|dataset)/.test(line));
      const {
        candidates: _,
        candidate_parts: __,
        reviews: ___,
        ...tables
      } = await dumpTables(store.url);
      const seen = {
        ...Object.fromEntries([...replies].map(([door, reply]) => [JSON.stringify(door), reply])),
        metrics: told.filter((line) => !/age|seconds/.test(line)),
        events,
        ...tables,
      };
      return structuredClone(seen);
    },
  };
}

describe.each([...ENGINES])('$name', ({ name, createStore }) => {
  test('no door of a server, no table of readers, metric or event tells of a candidate', async () => {
    const store = removing(await createStore());
    const folder = createTempFolder();
    await store.publish(quotes, [quote({ symbol: 'A' })]); // 1
    await store.publish(online, [online.example]); // 2
    const newest = await declareKibor(store);
    const server = await startObservedServer(store, newest, name === 'sqlite');
    await server.observe();
    const before = await server.observe();
    expect(Object.keys(before).length).toBeGreaterThan(name === 'sqlite' ? 180 : 40);

    const write = (name: string, content: unknown) => {
      const path = join(folder, `secret-${name}.json`);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const other = { ...KIBOR, name: 'secret-rates', scope: 'secret' };
    const staged = [
      ...['--stage', '--bundle', 'secret', '--note', 'A secret'],
      ...['--at', new Date(Date.now() + 600_000).toISOString()],
    ];
    for (const args of [
      ['review', 'require', online.name, '1'],
      ['load', online.name, write('a', [{ ...online.example, total: 9e9 }]), ...staged],
      [
        'load',
        KIBOR.name,
        write('b', [{ date: '2026-06-04', tenor: 'secret', bid: 1 }]),
        '--partial',
        ...staged,
      ],
      ['dataset', 'declare', write('c', other), ...staged],
      ['dataset', 'rename-code', KIBOR.name, 'tenor', '6M', 'secret', ...staged],
      ['retire', KIBOR.name, '2026-06-01/1M', ...staged],
      ['revert', String(newest), ...staged],
      ['candidate', 'list'],
      ['candidate', 'show', '1', '--changes'],
      ['publish', '--due'],
      ['candidate', 'approve', '2'],
      ['candidate', 'withdraw', '3'],
    ]) {
      const { status, err } = await runTenor(args, { DATABASE_URL: store.url });
      expect([args, status, err]).toEqual([args, 0, '']);
      if (REPETITIONS > 1) expect(await server.observe()).toEqual(before);
    }
    expect(await server.observe()).toEqual(before);
    await server.stop();
  });
});
