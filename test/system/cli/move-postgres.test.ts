import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import { listStoredTables } from '../../../src/store/sql/stored-tables.ts';
import {
  dumpData,
  expectRevocationNoticed,
  move,
  useMoveSource,
} from '../../cli/move-workspace.ts';
import { explainMissingCitus } from '../../support/citus.ts';
import { runSql } from '../../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { createCitusStore, createPostgresStore } from '../../support/store.ts';

setDefaultTimeout(120_000);

const { source, newFile } = useMoveSource();

describe.skipIf(explainMissingPostgres() !== undefined)('tenor move with PostgreSQL', () => {
  const urls: string[] = [];
  afterAll(async () => {
    for (const url of urls) await (await getSharedPostgres()).dropDatabase(url);
  });
  const newDatabase = async () => {
    const url = await (await getSharedPostgres()).createDatabase();
    urls.push(url);
    return url;
  };

  test('copies every table there and back, and nothing is different', async () => {
    const there = await newDatabase();
    const { url: further, remove } = await createPostgresStore();
    const back = newFile();
    const original = await dumpData(source().url);
    const moved = await move(source().url, there);
    expect(moved).toMatchObject({ status: 0, err: '' });
    // Without credentials.
    expect(moved.out).toMatch(/ to \d[\d.:]+\/\w+ in /);
    expect(await dumpData(there)).toEqual(original);
    expect((await runTenor(['check'], { DATABASE_URL: there })).out).toContain(' 0 faults');
    // Given up elsewhere: that comes along, with the new secret, and a mark as of a copy.
    await runTenor(['migrate', '--accept-loss', '7'], { DATABASE_URL: there });
    const changed = await dumpData(there);
    expect(changed.secrets).toHaveLength(3);
    for (const [from, to] of [
      [there, further],
      [further, back],
    ] as const) {
      expect(await move(from, to)).toMatchObject({ status: 0, err: '' });
      expect(await dumpData(to)).toEqual(changed);
    }
    expect({ ...changed, secrets: [] }).toEqual({ ...original, secrets: [] });
    expect(Object.keys(changed).toSorted()).toEqual(listStoredTables(catalogue).toSorted());
    await remove();
  });

  test.skipIf(explainMissingCitus() !== undefined)(
    'copies every table to a cluster and back, and nothing is different',
    async () => {
      const { url: there, remove } = await createCitusStore();
      const back = newFile();
      expect(await move(source().url, there)).toMatchObject({ status: 0, err: '' });
      expect(await move(there, back)).toMatchObject({ status: 0, err: '' });
      expect(await dumpData(back)).toEqual(await dumpData(source().url));
      await remove();
    },
  );

  test('rejects a database that has data, and leaves it as it was', async () => {
    const to = await newDatabase();
    await move(source().url, to);
    const before = await dumpData(to);
    const { status, err } = await move(source().url, to);
    expect(status).toBe(1);
    expect(err).toMatch(/^tenor: cannot move to \S+: it has data already, in the table revisions;/);
    expect(await dumpData(to)).toEqual(before);
  });

  test('keeps nothing if a token of the source is revoked meanwhile', async () => {
    await using from = await createPostgresStore();
    await expectRevocationNoticed(from, newFile);
  });

  test('keeps nothing that differs from the source, and names the place', async () => {
    const to = await newDatabase();
    await runTenor(['migrate'], { DATABASE_URL: to });
    await runSql(to, SPOIL_SQL);
    const { status, err } = await move(source().url, to);
    expect(status).toBe(1);
    expect(err).toContain(
      'it differs from the source in 2 places: quotes_now, revision 1; tokens, tk_',
    );
    const rows = Object.values(await dumpData(to)).flat();
    expect(rows).toHaveLength(1);
  });
});

/** As a driver might that does not send what it was given. */
const SPOIL_SQL = `
  CREATE FUNCTION spoil_quote() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.record = replace(NEW.record, '0', '1'); RETURN NEW; END $$;
  CREATE TRIGGER spoil BEFORE INSERT ON quotes_now FOR EACH ROW WHEN (NEW.since = 1) EXECUTE FUNCTION spoil_quote();
  CREATE FUNCTION spoil_token() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.revoked_at = NULL; RETURN NEW; END $$;
  CREATE TRIGGER spoil BEFORE INSERT ON tokens FOR EACH ROW EXECUTE FUNCTION spoil_token();`;
