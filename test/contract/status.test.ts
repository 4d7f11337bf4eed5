import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { ObservationStatus } from '../../src/catalogue/model/observation-status.ts';
import { readChanges } from '../../src/operations/changes/changes-route.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { changesOf, encodeRecords } from '../../src/tabular/encode-records.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { encodeRow } from '../support/publish-at.ts';
import { buildRecord, formatKey } from '../support/small-dataset.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const series = catalogue.filter(({ shape }) => shape === 'series');

for (const { name: engine, createStore } of ENGINES) {
  describe.each(series.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: the status of a record of %s`,
    (_, dataset) => {
      const record = buildRecord(dataset, { slot: 0, variant: 0 });
      const { json } = encodeRow(dataset, record);

      test('is kept as its text is, and a change of it alone is a correction', async () => {
        const store = removing(await createStore());
        const publisher = closing(store.publisher());
        const publish = (status?: ObservationStatus) =>
          publisher.publish({
            dataset,
            source: 'a',
            author: 'a',
            rows: [[encodeRow(dataset, record, status)]],
          });
        expect(await publish('P')).toMatchObject({ revision: 1, added: 1 });
        expect(await publish('P')).toBeUndefined();
        expect(await publish()).toMatchObject({ revision: 2, corrected: 1 });
        expect(await publish('A')).toBeUndefined();

        const reader = closing(store.reader());
        const listChanges = async (since: number, until: number) =>
          (await readChanges(reader, dataset, { since, until, limit: 10 })).texts;
        expect(await listChanges(0, 1)).toEqual([
          `{"change":"added","record":${json},"status":"P"}`,
        ]);
        const { texts } = await readChanges(reader, dataset, { since: 0, until: 1, limit: 10 });
        const chunks = encodeRecords(changesOf(dataset, 'changes'), 'csv', texts);
        const [, row] = Buffer.concat(await Array.fromAsync(chunks))
          .toString()
          .split('\r\n');
        expect(row).toStartWith(`added,${formatKey(dataset, record)},`);
        expect(await listChanges(1, 2)).toEqual([`{"change":"corrected","record":${json}}`]);
        expect(await listChanges(0, 2)).toEqual([`{"change":"added","record":${json}}`]);

        await revertRevision(publisher, catalogue, { revision: 2, author: 'a' });
        expect(await listChanges(2, 3)).toEqual([
          `{"change":"corrected","record":${json},"status":"P"}`,
        ]);
        expect(await listChanges(1, 3)).toEqual([]);
        // What was changed back is as revision 1 has left it.
        const revert = { revision: 1, author: 'a', isDryRun: true };
        expect(await revertRevision(publisher, catalogue, revert)).toMatchObject({
          revision: { revision: 4, retired: 1 },
        });
        for (const asOf of [1, 2, 3])
          expect((await reader.read({ kind: 'records', dataset, asOf })).records).toBe(json);
      });
    },
  );

  test(`${engine}: the statuses of all series, changed and reverted, are no fault to a check`, async () => {
    const store = removing(await createStore());
    const publisher = closing(store.publisher());
    for (const dataset of series) {
      const record = buildRecord(dataset, { slot: 0, variant: 0 });
      const publish = (status?: ObservationStatus) =>
        publisher.publish({
          dataset,
          source: 'a',
          author: 'a',
          rows: [[encodeRow(dataset, record, status)]],
        });
      await publish('P');
      const { revision = 0 } = (await publish()) ?? {};
      await revertRevision(publisher, catalogue, { revision, author: 'a' });
    }
    const { faults, revisions } = await checkDatabase(closing(store.inspector()), catalogue);
    expect([faults, revisions]).toEqual([[], 3 * series.length]);
  });
}
