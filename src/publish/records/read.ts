import { keyFields } from '../../derive/key.ts';
import type { Contents } from '../../formats/index.ts';
import { planner } from '../mapping/plan.ts';
import { longFundTargets, targetsOf } from '../mapping/targets.ts';
import type { Circumstances } from './circumstances.ts';
import type { Draft } from './draft.ts';
import { itemDrafts } from './items.ts';
import { readTable } from './table.ts';
import { workshopOf } from './workshop.ts';

/** The records of a file in batches, each with where it stands and what is wrong with it. */
export async function* draftsOf(
  contents: Contents,
  circumstances: Circumstances,
): AsyncGenerator<readonly Draft[]> {
  const { dataset, mapping, habits, elsewhere, standingFund, onSkipped } = circumstances;
  const { headerRow } = mapping;
  const keys = keyFields(dataset);
  const workshop = workshopOf(circumstances);
  if (contents.kind === 'table') {
    const targets = dataset.shape === 'fund' ? longFundTargets(dataset) : targetsOf(dataset);
    const makePlan = planner(targets, mapping, habits, elsewhere);
    const { plan, rows } = await readTable(contents, makePlan, { headerRow, keys, onSkipped });
    const put = workshop.worker(plan, dataset.shape === 'fund');
    for await (const batch of rows) {
      const drafts: Draft[] = [];
      for (const { cells, at, problems } of batch) {
        // Of a row that is wrong as a whole, the cells are not where they should be.
        const draft = problems.length > 0 ? { at, record: {}, problems } : put(cells, at, []);
        if (draft) drafts.push(draft);
      }
      yield drafts;
    }
  } else {
    yield* itemDrafts(contents, circumstances, workshop);
  }
  yield await workshop.rest(standingFund);
}
