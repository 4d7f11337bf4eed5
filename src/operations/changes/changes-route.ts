import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { parseQuery, type SentParameter } from '../../http/request/parse-query.ts';
import { withFieldsOf } from '../history-operation.ts';
import { createHistoryRoute } from '../history-route.ts';
import { computeListCost } from '../request-cost.ts';
import { changesOperation } from './changes-operation.ts';
import { type ChangesSelection, readChanges } from './read-changes.ts';

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
