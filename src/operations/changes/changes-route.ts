import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { computeListCost } from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { parseQuery, type SentParameter } from '../../http/request/parse-query.ts';
import type { WaitingClient } from '../../http/responses/encode-page.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { system } from '../../shared/system.ts';
import { createChangeSerializer } from '../../store/change-lines.ts';
import type { NetChangesFilter, StoreReader } from '../../store/open-store.ts';
import { withFieldsOf } from '../history-operation.ts';
import { createHistoryRoute } from '../history-route.ts';
import { changesOperation } from './changes-operation.ts';

interface ChangesPlan extends Omit<ChangesSelection, 'until'> {
  readonly until: number | undefined;
}

/** The route of what changed between two revisions. */
export function createChangesRoute({ datasets }: Catalogue): PageRoute<ChangesPlan & PageQuery> {
  const operation = changesOperation(datasets);
  return createHistoryRoute(operation, {
    findAwaitedRevision: (sent) => findAwaitedRevision(sent, operation.parameters),
    getParameters: (dataset) => withFieldsOf(dataset, operation.parameters),
    plan({ filters, fields, format, position }): ChangesPlan | HttpError {
      const { since, until, limit = DEFAULT_LIMIT } = filters;
      const isAsStored = filters.as_stored === 'true';
      if (since === undefined) return MISSING_SINCE_ERROR;
      if (until !== undefined && until < since) return REVERSED_ERROR;
      if (isAsStored && (fields || RESPONSE_FORMATS[format].traits.isTable))
        return CHANGED_AS_STORED_ERROR;
      return { since, until, limit, isAsStored, position };
    },
    cost: (plan, page) => computeListCost(plan, page),
    async readTexts(dataset, plan, { view: { revision }, reader, client }) {
      const until = plan.position ? revision : (plan.until ?? revision);
      if (plan.since > revision) return createLateError('since', revision);
      if (until > revision) return createLateError('until', revision);
      const changes = await readChanges(reader, dataset, { ...plan, until }, client);
      return { ...changes, isOfRange: true };
    },
  });
}

/**
 * The later revision of the first page, which another process or machine may have sent already; 0 if
 * no revision makes the parameters valid. Those that name fields depend on the revision's dataset.
 */
function findAwaitedRevision(
  sent: readonly SentParameter[],
  { fields: _, ...parameters }: ReturnType<typeof changesOperation>['parameters'],
): number {
  const values = parseQuery(
    sent.filter(({ name }) => name !== 'fields'),
    parameters,
  );
  if (values instanceof HttpError || values.cursor !== undefined) return 0;
  const { since = 0, until = since } = values as ParameterValues<typeof parameters>;
  return until >= since && until <= MAX_REVISION ? until : 0;
}

/** Revision numbers are four bytes long. */
const MAX_REVISION = 2_147_483_647;

const createLateError = (parameter: string, newest: number) =>
  new HttpError('bad_value', {
    parameter,
    allowed: `a revision that there is, from 0 to ${newest}`,
  });

const MISSING_SINCE_ERROR = new HttpError('missing_parameter', {
  parameter: 'since',
  allowed: 'the revision that the copy has, or 0 for none',
});
const CHANGED_AS_STORED_ERROR = new HttpError('changed_as_stored');
const REVERSED_ERROR = new HttpError('reversed_revisions');

/** A page of the changes between two revisions. */
export interface ChangesSelection
  extends Pick<NetChangesFilter, 'since' | 'until' | 'limit' | 'isAsStored'> {
  /** Where it begins: after so many changes of the key that follows another; absent on the first. */
  readonly position?: readonly (string | number)[] | undefined;
}

/** Records that are compared at once: other jobs of the thread run in between. */
const [MIN_BATCH, MAX_BATCH] = [100, 5_000];

/**
 * Reads changes as JSON until the page is full, and where the next one begins: records that are as
 * they were take time, but no place.
 */
export async function readChanges(
  reader: Pick<StoreReader, 'netChanges'>,
  dataset: Dataset,
  { since, until, limit, position, isAsStored }: ChangesSelection,
  client?: WaitingClient,
) {
  const toTexts = createChangeSerializer(dataset);
  const texts: string[] = [];
  const [skipped = 0, ...key] = position ?? [];
  let skip = Number(skipped);
  let after: NetChangesFilter['after'] = key.length > 0 ? key : undefined;
  // If a revision was reverted, nearly all records are as they were: batches grow.
  for (let minBatch = MIN_BATCH; ; minBatch *= 2) {
    // One change more than the limit shows whether there is another page.
    const missing = limit + 1 - texts.length;
    const batch = Math.min(Math.max(missing, minBatch), MAX_BATCH);
    const filter = { since, until, limit: batch, after, isAsStored };
    const { revision, changes, last } = await reader.netChanges(dataset, filter);
    for (const change of changes) {
      const changeTexts = toTexts(change).slice(skip);
      if (texts.length + changeTexts.length > limit) {
        const fitting = limit - texts.length;
        texts.push(...changeTexts.slice(0, fitting));
        return { revision, texts, nextPosition: [skip + fitting, ...(after ?? [])] };
      }
      texts.push(...changeTexts);
      [after, skip] = [change.key, 0];
    }
    if (!last) return { revision, texts };
    after = last;
    await system.nextTurn();
    if (client?.signal.aborted) throw new AbandonedError();
  }
}
