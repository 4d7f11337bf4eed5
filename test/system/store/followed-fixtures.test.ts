import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Catalogue } from '../../../src/catalogue/catalogues.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkMirror } from '../../../src/mirror/check-mirror.ts';
import { openMirrorTarget } from '../../../src/mirror/mirror-target.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { openStore, type Store } from '../../../src/store/open-store.ts';
import { FIXTURE_NAMES, openFixture, useSchemaFixtures } from '../../store/schema-fixtures.ts';
import { applyRevisions, readRevisions } from '../../support/followed-revisions.ts';
import {
  mirrorTo,
  readExports,
  readRevision as readMirroredRevision,
  sortByText,
} from '../../support/mirror-folder.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createTempFolder } from '../../support/store.ts';

const { restoreFixture } = useSchemaFixtures();
const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test.each(FIXTURE_NAMES)(
  'a database that follows one of %s has its records as of every revision, and so has its mirror',
  async (name) => {
    const path = join(folder, name);
    const { store: source } = await openFixture(await restoreFixture(name), 'migrate');
    const records = [quote({ symbol: 'NEW' })];
    const publisher = source.publisher();
    await publishRecords(publisher, { dataset: quotes, records, source: 'a', author: 'b' });
    publisher.close();
    const follower = await openStore(`sqlite:${path}-follower`, catalogue);
    const size = await useReader(source, (reader) => reader.revision());
    await applyRevisions(follower, ...(await readRevisions(source, size)));
    await mirrorTo(follower, `${path}-mirror`);
    for (let revision = 1; revision <= size; revision++) {
      expect(await readRecords(follower, revision)).toEqual(await readRecords(source, revision));
      const { records: mirrored } = await readMirroredRevision(`${path}-mirror`, revision);
      for (const [name, list] of Object.entries(await readExports(source, revision)))
        expect(sortByText(mirrored[name])).toEqual(sortByText(list));
    }
    expect((await checkMirror(openMirrorTarget(`${path}-mirror`))).faults).toEqual([]);
  },
);

async function useReader<T>(
  store: Store,
  use: (reader: ReturnType<Store['reader']>) => Promise<T>,
) {
  const reader = store.reader();
  try {
    return await use(reader);
  } finally {
    reader.close();
  }
}

/** Everything as of a revision: records, the terms of securities, and what is said of the revision. */
function readRecords(store: Store, revision: number) {
  return useReader(store, async (reader) => {
    const { datasets } = new Catalogue(catalogue, await reader.declarations(revision));
    const records: Record<string, unknown> = {};
    for (const dataset of datasets)
      records[dataset.name] = (await Array.fromAsync(reader.records(dataset, revision))).flat();
    const terms = await reader.securityTerms(revision);
    return { records, terms, entry: await reader.logEntry(revision) };
  });
}
