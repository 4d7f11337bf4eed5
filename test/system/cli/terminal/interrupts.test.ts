import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../../src/catalogue/index.ts';
import type { AnyRecord } from '../../../../src/catalogue/model/dataset.ts';
import { writeParquet } from '../../../../src/formats/parquet/write-parquet.ts';
import { publishRecords } from '../../../../src/publish/publish-records.ts';
import { openStore, type Store } from '../../../../src/store/open-store.ts';
import { generateQuotes } from '../../../support/generate-quotes.ts';
import { FILLED_DATASETS } from '../../../support/store.ts';
import {
  CTRL_C,
  CTRL_D,
  describeEnd,
  IN_ORDER,
  openTerminal,
  type TerminalSession,
} from '../../../support/terminal.ts';
import {
  CSV_HEADER,
  createTerminalWorkspace,
  SERIES,
} from '../../../support/terminal-workspace.ts';

const createFolder = createTerminalWorkspace();

/** What a command that waits or works leaves behind when Ctrl-C is pressed. */
async function interrupt(terminal: TerminalSession) {
  terminal.press(CTRL_C);
  const { status, screen } = await terminal.wait();
  return { status, screen, ...describeEnd(screen) };
}

async function readRevision({ DATABASE_URL }: { readonly DATABASE_URL: string }): Promise<number> {
  const reader = (await openStore(DATABASE_URL, catalogue)).reader();
  try {
    return await reader.revision();
  } finally {
    reader.close();
  }
}

/** Each dataset's fixture is a revision. */
const LAST_REVISION = FILLED_DATASETS.length;
const INTERRUPTED = '^C\r\ntenor: interrupted; nothing was published\r\n';

test('Ctrl-C in the middle of a load clears the progress bar and publishes nothing', async () => {
  const { env, writeFile } = createFolder();
  const days = Array.from(
    { length: 28 },
    (_, index) => `2027-02-${String(index + 1).padStart(2, '0')}`,
  );
  const file = writeFile('many.json', JSON.stringify(generateQuotes(days, 1_000)));
  using terminal = openTerminal(['load', 'quotes', file], { env });
  await terminal.waitFor(/\d %/);
  const { screen, status, ...end } = await interrupt(terminal);
  expect({ status, ...end }).toEqual({ status: 130, ...IN_ORDER });
  expect(screen).toContain('\r\u001b[K');
  expect(screen).toEndWith('\r\ntenor: interrupted; nothing was published\r\n');
  expect(await readRevision(env)).toBe(LAST_REVISION);
});

test('Ctrl-C ends a load whose file has been read, while its rows are being validated', async () => {
  const { folder, env } = createFolder();
  const file = join(folder, 'many.parquet');
  const columns = CSV_HEADER.split(',').map((name) => ({ name, type: 'number' as const }));
  const row = columns.map((_, index) => 2_000 + index);
  const rows = (async function* () {
    for (let batch = 0; batch < 400; batch++) yield Array<typeof row>(1_000).fill(row);
  })();
  const chunks = await Array.fromAsync(writeParquet({ title: 'many', columns, rows }));
  await Bun.write(file, new Blob(chunks as Uint8Array<ArrayBuffer>[]));
  using terminal = openTerminal(['load', SERIES, file], { env });
  await terminal.waitFor(/\d %/);
  const { screen, status, ...end } = await interrupt(terminal);
  expect({ status, ...end }).toEqual({ status: 130, ...IN_ORDER });
  expect(screen).toEndWith('\r\ntenor: interrupted; nothing was published\r\n');
});

test('Ctrl-C ends a load from the terminal, and Ctrl-D publishes what was typed', async () => {
  const { folder, env } = createFolder();
  const filesBefore = readdirSync(folder);
  const start = async () => {
    const terminal = openTerminal(['load', SERIES, '-'], { env });
    await terminal.waitFor('reading from the terminal; end with Ctrl-D on a line of its own');
    terminal.press(`${CSV_HEADER}\n1942,5,1,1,7\n`);
    await terminal.waitFor('1942');
    return terminal;
  };
  using interrupted = await start();
  const { screen, status, ...end } = await interrupt(interrupted);
  expect({ status, ...end }).toEqual({ status: 130, ...IN_ORDER });
  expect(screen).toEndWith(INTERRUPTED);
  expect(await readRevision(env)).toBe(LAST_REVISION);
  expect(readdirSync(folder)).toEqual(filesBefore);
  using ended = await start();
  ended.press(CTRL_D);
  const result = await ended.wait();
  expect(result.screen).toContain(`Published revision ${LAST_REVISION + 1}: 1 added`);
  expect({ status: result.status, ...describeEnd(result.screen) }).toEqual({
    status: 0,
    ...IN_ORDER,
  });
});

test.each([
  ['load', [SERIES, 'FILE']],
  ['retire', [SERIES, '2024']],
  ['revert', ['1']],
])('Ctrl-C while tenor %s waits for another publisher publishes nothing', async (name, args) => {
  const { folder, env, writeFile } = createFolder();
  const file = writeFile('years.csv', `${CSV_HEADER}\n1942,5,1,1,7\n`);
  using database = new Database(join(folder, 'x.db'));
  database.run('BEGIN IMMEDIATE');
  const words = [name, ...args.map((arg) => (arg === 'FILE' ? file : arg))];
  using terminal = openTerminal(words, { env });
  await terminal.waitFor('waiting for another publisher to finish\r\n');
  const { status, screen, isStyled, hasPrivateModes } = await interrupt(terminal);
  expect({ status, isStyled, hasPrivateModes }).toEqual({
    status: 130,
    isStyled: false,
    hasPrivateModes: false,
  });
  expect(screen).toMatch(/another publisher to finish\r\n\^C/);
  database.run('ROLLBACK');
  expect(await readRevision(env)).toBe(LAST_REVISION);
});

test('Ctrl-C ends an export to a pipe that is not read, and leaves no file behind', async () => {
  const { folder, env } = createFolder();
  const store = await openStore(env.DATABASE_URL, catalogue);
  await publishQuotes(store, generateQuotes(['2027-02-01'], 2_000));
  const output = join(folder, 'quotes.csv');
  // Its buffer is soon full, so that the export stays in the middle.
  Bun.spawnSync(['mkfifo', output]);
  const pipe = openSync(output, constants.O_RDONLY | constants.O_NONBLOCK);
  // SQLite removes its log when the last reader ends.
  const listNames = () => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
  const names = listNames();
  using terminal = openTerminal(['export', 'quotes', '--output', output], { env });
  while (!hasData(pipe)) await Bun.sleep(5);
  const { status, screen, ...end } = await interrupt(terminal);
  closeSync(pipe);
  expect({ status, ...end }).toEqual({ status: 130, ...IN_ORDER });
  expect(screen).toEndWith(`^C\r\ntenor: interrupted; ${output} was not written\r\n`);
  expect(listNames()).toEqual(names);
});

async function publishQuotes(store: Store, records: readonly AnyRecord[]): Promise<void> {
  const publisher = store.publisher();
  await publisher.transaction((transaction) =>
    publishRecords(transaction, { dataset: quotes, records, source: 'test', author: 'test' }),
  );
  publisher.close();
}

function hasData(pipe: number): boolean {
  try {
    return readSync(pipe, new Uint8Array(10)) > 0;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EAGAIN') return false;
    throw cause;
  }
}

test('Ctrl-C ends a query that waits for a server', async () => {
  const { env } = createFolder();
  const requested = Promise.withResolvers<void>();
  const silent = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      requested.resolve();
      return new Promise<Response>(() => {});
    },
  });
  const url = `http://127.0.0.1:${silent.port}`;
  const options = { env: { ...env, API_TOKEN: 'some-token-of-the-test' } };
  using terminal = openTerminal(['query', 'quotes', '--url', url], options);
  await requested.promise;
  const { status, isStyled, hasPrivateModes } = await interrupt(terminal);
  expect({ status, isStyled, hasPrivateModes }).toEqual({
    status: 130,
    isStyled: false,
    hasPrivateModes: false,
  });
  await silent.stop(true);
});

test.each(['1', '2'])(
  'Ctrl-C stops a server of %s processes with status 0, however often it is pressed',
  async (WORKERS) => {
    const { env } = createFolder();
    using terminal = openTerminal(['serve'], { env: { ...env, WORKERS } });
    await terminal.waitFor('openapi.json');
    terminal.press(CTRL_C);
    const { status, screen, ...end } = await interrupt(terminal);
    expect({ status, ...end }).toEqual({ status: 0, ...IN_ORDER });
    expect(screen).toContain('service.stopping signal=SIGINT');
    expect(screen.match(/service\.stopped/g)).toHaveLength(Number(WORKERS));
  },
);

const ENDLESS_QUOTES = `export default function* () {
  const zeros = { bidPrice: 0, askPrice: 0, lastPrice: 0, bidVolume: 0, askVolume: 0, volume: 0 };
  const day = { date: '2026-01-01', isin: 'X', type: 'bond', maturityDate: '2030-01-01' };
  for (let i = 1; ; i++) {
    yield { ...day, ...zeros, symbol: 'S' + i, maturityYears: 4, ytm: 0, duration: 0 };
    if (i === 10_000) console.log('busy');
  }
}`;

test.each([
  ['never ends', 'export default function* () { console.log("busy"); for (;;); }'],
  ['yields without end', ENDLESS_QUOTES],
  [
    'waits for ever',
    'export default async function* () { console.log("busy"); await new Promise(() => {}); }',
  ],
  ['never ends before it reads', 'console.log("busy"); for (;;);'],
])('Ctrl-C ends a load whose adapter %s', async (_, source) => {
  const { env, writeFile } = createFolder();
  const adapter = writeFile('adapter.ts', source);
  const file = writeFile('a.csv', 'a\n');
  using terminal = openTerminal(['load', 'quotes', file, '--adapter', adapter], { env });
  await terminal.waitFor('busy');
  const { screen, status, ...end } = await interrupt(terminal);
  expect({ status, ...end }).toEqual({ status: 130, ...IN_ORDER });
  expect(screen).toEndWith('\r\ntenor: interrupted; nothing was published\r\n');
  expect(await readRevision(env)).toBe(LAST_REVISION);
});
