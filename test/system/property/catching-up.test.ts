import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { datasets, toDeclarationRecord } from '../../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as online } from '../../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../../src/catalogue/model/declaration.ts';
import { KIBOR, kibor } from '../../support/declared-rates.ts';
import {
  atRevision,
  type Door,
  type DoorReply,
  listCurrentDoors,
  listPastDoors,
  readDoor,
  readDoors,
} from '../../support/every-door.ts';
import { readFixture } from '../../support/fixtures.ts';
import { applyRevisions, readRevision } from '../../support/followed-revisions.ts';
import { a, b, c, publishSteps, type Step } from '../../support/published-ledger.ts';
import { createStore, ENGINES, type TestStore } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

setDefaultTimeout(120_000);

const RETITLED: Declaration = {
  ...KIBOR,
  title: 'Rates between banks',
  dimensions: [
    {
      field: 'tenor',
      title: 'Term',
      codes: { '1M': 'a month', '6M': 'half a year', '1Y': 'a year' },
    },
  ],
};
const EXTENDED: Declaration = {
  ...RETITLED,
  measures: [...RETITLED.measures, { field: 'mid', title: 'Mid', unit: 'percent', kind: 'rate' }],
};
const SUCCESSOR: Declaration = { ...EXTENDED, name: 'rates', supersedes: 'kibor' };
const [retitled, extended, rates] = [RETITLED, EXTENDED, SUCCESSOR].map((declaration) =>
  createDeclaredDataset(declaration),
);
const rate = { date: '2026-06-01', tenor: '1M', bid: 11, offer: 12 };
const later = { date: '2026-07-02', tenor: '1Y', bid: 13, offer: null };
const declare = (declaration: Declaration) => ({
  dataset: datasets,
  records: [toDeclarationRecord(declaration)],
});

/** A declaration that changes, is extended, retired, declared again and superseded, between records. */
const STEPS = [
  { dataset: quotes, records: [a, b, c] },
  declare(KIBOR),
  { dataset: kibor, records: [rate] },
  declare(RETITLED),
  { dataset: retitled, records: [later] },
  { dataset: securities, records: readFixture(securities) },
  declare(EXTENDED),
  { dataset: extended, records: [{ ...later, mid: 13.5 }] },
  { dataset: online, records: [online.example], status: 'P' },
  { dataset: extended, retired: [later, rate].map((record) => ({ ...record, mid: null })) },
  { dataset: datasets, retired: [toDeclarationRecord(EXTENDED)] },
  declare(EXTENDED),
  { dataset: extended, records: [{ ...rate, mid: 11.5 }] },
  declare(SUCCESSOR),
  { dataset: rates, records: [{ ...rate, mid: 11.5 }] },
].map((step, index) => ({ ...step, day: index + 1 }) as Step);
const PAST_DOORS = listPastDoors(STEPS.map(({ dataset }) => dataset.name).filter(isFirst));

function isFirst<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index;
}

/** Reads from a server of a store that has served nothing before. */
async function readFresh<T>(
  store: TestStore,
  read: (server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startTestServer({ ...store, remove: async () => {} });
  try {
    return await read(server);
  } finally {
    await server.stop();
  }
}

describe('a database that follows one whose declarations change', () => {
  let source: TestStore;
  /** What a server of the source gives when a revision is its newest, by its number and door. */
  const newest: Map<Door, DoorReply>[] = [];
  /** What it gives as of each revision in the end. */
  const past: Map<Door, DoorReply>[] = [];
  beforeAll(async () => {
    source = await createStore();
    for (const [index, step] of STEPS.entries()) {
      await publishSteps(source, [step]);
      newest[index + 1] = await readFresh(source, async (server) => {
        const doors = [...PAST_DOORS, ...(await listCurrentDoors(server, index + 1))];
        return readDoors(server, doors, index + 1);
      });
    }
    await readFresh(source, async (server) => {
      for (let asOf = 1; asOf <= STEPS.length; asOf++)
        past[asOf] = await readPast(server, PAST_DOORS, asOf);
    });
  });
  afterAll(() => source.remove());

  test.each([...ENGINES])(
    'gives the same bytes and tags at every door after each revision, on $name',
    async ({ name, createStore: createOwn }) => {
      const own = await createOwn();
      await using server = await startTestServer(own);
      // What is above the store is the same on every engine.
      const isDeclared = ([door]: readonly [Door, DoorReply]) =>
        /catalogue|kibor|rates/.test(String(door));
      const compare = async (
        revision: number,
        expected: Map<Door, DoorReply> = new Map(),
        isCompared: typeof isDeclared = isDeclared,
      ) => expectSame(server, revision, new Map([...expected].filter(isCompared)));
      for (let revision = 1; revision <= STEPS.length; revision++) {
        // What is not there yet is not kept.
        for (const door of ['/exports/kibor.csv', '/catalogue'])
          await readDoor(server, atRevision(door, revision), revision - 1);
        await applyRevisions(own, await readRevision(source, revision));
        await compare(revision, newest[revision], name === 'sqlite' ? () => true : isDeclared);
        await compare(revision, past[revision]);
      }
      for (const expected of past) await compare(STEPS.length, expected);
    },
  );
});

/** What a server gives as of a revision. */
function readPast(server: TestServer, doors: readonly string[], asOf: number) {
  const targets = doors.map((door) => atRevision(door, asOf));
  return readDoors(server, targets, asOf);
}

async function expectSame(
  server: TestServer,
  revision: number,
  expected: ReadonlyMap<Door, DoorReply>,
): Promise<void> {
  // Documents wait for no revision.
  await readDoor(server, '/revisions', revision);
  const replies = await readDoors(server, expected.keys(), revision);
  for (const [door, reply] of expected)
    expect([revision, door, replies.get(door)]).toEqual([revision, door, reply]);
}
