import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { moveStore } from '../../src/store/move-store.ts';
import { listStoredTables } from '../../src/store/sql/stored-tables.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore } from '../support/store.ts';
import { dumpData, expectRevocationNoticed, move, useMoveSource } from './move-workspace.ts';

setDefaultTimeout(120_000);

const { source, folder, newFile } = useMoveSource();

describe('tenor move', () => {
  test('copies every table of a file to another, with tokens and links, and says what it compared', async () => {
    const to = newFile();
    const { status, out, err } = await move(source().url, to);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^Moved sqlite:\S+ to sqlite:\S+ in [\d.]+ s\.\n/);
    expect(out).toMatch(
      /\nCompared 18 revisions, \d+ current records and \d+ of history, 2 tokens, 1 link, .*: no difference\.\n/,
    );
    const copied = await dumpData(to);
    expect(copied).toEqual(await dumpData(source().url));
    expect(copied.tokens).toHaveLength(3);
    expect(statSync(to.slice(7)).mode & 0o777).toBe(0o600);
    const modes = [to, source().url].map((url) =>
      ['', '.private/tokens'].map((end) => readJournalMode(url.slice(7) + end)),
    );
    expect(modes[0]).toEqual(modes[1]);
    const checked = await runTenor(['check'], { DATABASE_URL: to });
    expect(checked.out).toContain(' 0 faults');
    expect(readdirSync(folder()).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('moves nothing of a damaged source, and says where to look', async () => {
    const damaged = newFile();
    await move(source().url, damaged);
    using database = new Database(damaged.slice(7));
    database.run("UPDATE quotes_now SET record = replace(record, 'lastPrice\":', 'lastPrice\":1')");
    database.close();
    const to = newFile();
    const { status, err } = await move(damaged, to);
    expect(status).toBe(1);
    expect(err).toMatch(
      /tenor: the source has \d+ faults?, and nothing was moved; tenor check verifies the database\n$/,
    );
    expect(existsSync(to.slice(7))).toBe(false);
  });

  test('lists every table that a store has, so that none is forgotten', async () => {
    const expected = listStoredTables(catalogue).toSorted();
    expect(Object.keys(await dumpData(source().url)).toSorted()).toEqual(expected);
  });

  test('copies what was not issued either: a store without tokens has no file for them', async () => {
    await using empty = await createStore();
    const to = newFile();
    expect((await move(empty.url, to, '--json')).status).toBe(0);
    expect(existsSync(`${to.slice(7)}.private/tokens`)).toBe(false);
  });

  test('takes DATABASE_URL for the one that is left out, and prints JSON with --json', async () => {
    const to = newFile();
    const { out } = await runTenor(['move', '--to', to, '--json'], { DATABASE_URL: source().url });
    expect(JSON.parse(out)).toMatchObject({
      from: source().url,
      to,
      compared: { revisions: 18, tokens: 2, links: 1 },
    });
  });

  test.each([
    [[], '--from or --to is required'],
    [['--from', 'data/tenor.db'], '--from must be sqlite: followed by the path of a file'],
    [['--to', 'postgres://host'], '--to must be sqlite: followed by the path of a file'],
  ])('rejects %p as wrong use', async (args, problem) => {
    const { status, err } = await runTenor(['move', ...args], { DATABASE_URL: source().url });
    expect([status, err]).toEqual([2, expect.stringContaining(problem)]);
  });

  test('rejects a file that exists, a log that lies there, and tokens of another database', async () => {
    const to = newFile();
    const path = to.slice(7);
    for (const file of [path, `${path}-wal`]) {
      writeFileSync(file, 'x');
      const { status, err } = await move(source().url, to);
      expect([status, err]).toEqual([1, expect.stringContaining(`${file} exists;`)]);
      rmSync(file);
    }
    expect((await move(source().url, to)).status).toBe(0);
    rmSync(path);
    await using other = await createStore();
    const rejected = await move(other.url, to);
    expect(rejected.err).toContain(`${path}.private/tokens has other tokens; move it away`);
    expect(existsSync(path)).toBe(false);
    // As after a move that was killed between the two files.
    expect((await move(source().url, to)).status).toBe(0);
    expect(await dumpData(to)).toEqual(await dumpData(source().url));
  });

  test('rejects a source that lacks a dataset, and names the command that migrates', async () => {
    await using old = await createStore();
    using database = new Database(old.path);
    for (const name of ['VIEW funds', 'TABLE records_now', 'TABLE records_past'])
      database.run(`DROP ${name}`);
    const { status, err } = await move(old.url, newFile());
    expect([status, err]).toEqual([1, expect.stringContaining('run tenor migrate')]);
  });

  test('keeps nothing if a revision is published to the source meanwhile, and names it', async () => {
    await using busy = await createStore();
    await busy.publish(quotes, [quote({ symbol: 'A' })]);
    const to = newFile();
    let published: Promise<unknown> | undefined;
    const onRows = async () => {
      published ??= busy.publish(quotes, [quote({ symbol: 'B' })]);
    };
    const moving = moveStore({ from: busy.url, to, catalogue, onRows });
    await expect(moving).rejects.toThrow(/ends with revision 1, and 2 was published .* meanwhile/);
    await published;
    expect(readdirSync(folder()).filter((name) => to.endsWith(name))).toEqual([]);
  });

  test('keeps nothing if the key of the ledger is replaced meanwhile', async () => {
    await using busy = await createStore();
    await busy.publish(quotes, [quote({ symbol: 'A' })]);
    const publisher = busy.publisher();
    let replaced: Promise<unknown> | undefined;
    const onRows = async () => {
      replaced ??= publisher.replaceLedgerKey({});
      await replaced;
    };
    const moving = moveStore({ from: busy.url, to: newFile(), catalogue, onRows });
    await expect(moving).rejects.toThrow('the key of the ledger was replaced meanwhile');
    publisher.close();
  });

  test('lets a token of the source be revoked meanwhile, and then keeps nothing', async () => {
    await using from = await createStore();
    await expectRevocationNoticed(from, newFile);
  });
});

function readJournalMode(file: string): unknown {
  using database = new Database(file, { readonly: true });
  return database.query('PRAGMA journal_mode').get();
}
