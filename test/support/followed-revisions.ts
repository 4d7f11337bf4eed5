import { Catalogue } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createChangeSerializer } from '../../src/store/change-lines.ts';
import type { FollowedRevision, Store } from '../../src/store/open-store.ts';

export async function applyRevisions(
  store: Store,
  ...followed: readonly (FollowedRevision | undefined)[]
) {
  const publisher = store.publisher();
  try {
    for (const revision of followed) await publisher.applyRevision(revision as FollowedRevision);
  } finally {
    publisher.close();
  }
}

export async function readRevisions(source: Store, size: number): Promise<FollowedRevision[]> {
  const all: FollowedRevision[] = [];
  for (let revision = 1; revision <= size; revision++)
    all.push(await readRevision(source, revision));
  return all;
}

/** A revision as a server gives it. */
export async function readRevision(source: Store, revision: number): Promise<FollowedRevision> {
  const reader = source.reader();
  try {
    const entry = (await reader.logEntry(revision))?.text ?? '';
    const declared = await reader.declarations(revision);
    const dataset = new Catalogue(catalogue, declared).get(JSON.parse(entry).dataset);
    const filter = { since: revision - 1, until: revision, limit: 10_000, isAsStored: true };
    const { changes } = await reader.netChanges(dataset, filter);
    return {
      revision,
      entry,
      lines: [changes.flatMap(createChangeSerializer(dataset))],
      checkpoint: (await reader.checkpoint(revision)) ?? '',
      keys: await reader.ledgerKeys(),
    };
  } finally {
    reader.close();
  }
}
