import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { DataRoute, PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../http/request/data-query.ts';
import { findFirstValue, type SentParameter } from '../../http/request/parse-query.ts';
import { planVintages, splitSymbols, type VintagesPlan } from '../../http/request/plan-query.ts';
import { computeRequestCost, MIN_COMPUTED_COST } from '../../http/request/request-cost.ts';
import { matchPath, type RequestTarget } from '../../http/request/request-target.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import type { CorrectionFilter } from '../../store/open-store.ts';
import { changesOf } from '../../tabular/encode-records.ts';
import {
  correctionParametersFor,
  correctionsOperation,
} from '../corrections/corrections-operation.ts';
import { vintagesOperation } from '../vintages/vintages-operation.ts';
import { changesOperation, withFieldsOf } from './changes-operation.ts';
import { readChanges, readCorrections, readVintages } from './read-changes.ts';

/** The operations on the history of the dataset that a path names. */
export function createHistoryRoutes(catalogue: readonly Dataset[]): DataRoute[] {
  return [
    createCorrectionsRoute(catalogue),
    createChangesRoute(catalogue),
    createVintagesRoute(catalogue),
  ];
}

/** The part that these routes share, and the dataset of a path. */
function createHistoryRoute(operation: Operation) {
  const findDataset = (path: string) => matchPath(operation, path)?.dataset as Dataset;
  const findScope = ({ path }: RequestTarget) => findDataset(path).scope;
  return { findDataset, route: { path: operation.path, operation, findScope } };
}

interface CorrectionsQuery extends PageQuery {
  readonly filter: CorrectionFilter;
}

/** The operation that lists corrected and retired records. */
function createCorrectionsRoute(catalogue: readonly Dataset[]): PageRoute<CorrectionsQuery> {
  const operation = correctionsOperation(catalogue);
  const { findDataset, route } = createHistoryRoute(operation);
  return {
    ...route,
    parse(request) {
      const dataset = findDataset(request.target.path);
      const page = parsePageRequest(request, correctionParametersFor(dataset));
      if (page instanceof HttpError) return page;
      const filter = toCorrectionFilter(dataset, page);
      if (filter instanceof HttpError) return filter;
      const source = changesOf(dataset, 'corrections');
      return { ...page, source, datasets: [dataset.name], filter };
    },
    // A correction has two records.
    cost: ({ filter, format }, page) =>
      computeRequestCost({ records: 2 * (page?.count ?? filter.limit), format }),
    async read(query, { view: { catalogue, revision }, reader }) {
      const dataset = catalogue.get(query.datasets[0] ?? '');
      return toPageRecords(query, await readCorrections(reader, dataset, query.filter, revision));
    },
  };
}

type CorrectionParameters = ParameterValues<ReturnType<typeof correctionsOperation>['parameters']>;

function toCorrectionFilter({ shape }: Dataset, { filters, position }: PageRequest) {
  const { symbol, fund_id, limit = DEFAULT_LIMIT, ...others }: CorrectionParameters = filters;
  const { from, to } = others;
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  const [revision, ...key] = position ?? [];
  const symbols = symbol === undefined ? undefined : splitSymbols(symbol);
  const funds = fund_id === undefined ? undefined : [fund_id];
  const securities = shape === 'quotes' ? symbols : undefined;
  const identifiers = shape === 'reference' ? (symbols ?? funds) : funds;
  return {
    ...others,
    ...(securities && { securities }),
    ...(identifiers && { identifiers }),
    ...(position && { after: { revision: Number(revision), key } }),
    limit,
  };
}

interface ChangesQuery extends PageQuery, Pick<PageRequest, 'position'> {
  readonly since: number;
  readonly until: number | undefined;
  readonly limit: number;
  readonly isAsStored: boolean;
}

/** The operation that lists what changed between two revisions. */
function createChangesRoute(catalogue: readonly Dataset[]): PageRoute<ChangesQuery> {
  const operation = changesOperation(catalogue);
  const { findDataset, route } = createHistoryRoute(operation);
  return {
    ...route,
    findAwaitedRevision,
    parse(request) {
      const dataset = findDataset(request.target.path);
      const page = parsePageRequest(request, withFieldsOf(dataset, operation.parameters));
      if (page instanceof HttpError) return page;
      const { filters, ...query } = page;
      const values: ParameterValues<typeof operation.parameters> = filters;
      const { since, until, limit = DEFAULT_LIMIT } = values;
      const isAsStored = values.as_stored === 'true';
      if (since === undefined) return MISSING_SINCE_ERROR;
      if (until !== undefined && until < since) return REVERSED_ERROR;
      if (isAsStored && (query.fields || RESPONSE_FORMATS[query.format].traits.isTable))
        return CHANGED_AS_STORED_ERROR;
      return {
        ...query,
        ...{ datasets: [dataset.name], since, until, limit, isAsStored },
        source: changesOf(dataset, 'changes'),
      };
    },
    cost({ limit, format }, page) {
      if (page) return computeRequestCost({ records: page.count, format });
      return Math.max(MIN_COMPUTED_COST, computeRequestCost({ records: limit, format }));
    },
    async read(query, { view: { catalogue, revision }, reader, client }) {
      const { since, limit, position, isAsStored } = query;
      const until = position ? revision : (query.until ?? revision);
      const late = since > revision ? 'since' : until > revision ? 'until' : undefined;
      if (late !== undefined) return createLateError(late, revision);
      const dataset = catalogue.get(query.datasets[0] ?? '');
      const selection = { since, until, limit, position, isAsStored };
      const changes = await readChanges(reader, dataset, selection, client);
      return { ...toPageRecords(query, changes), isOfRange: true };
    },
  };
}

/** The later revision of the first page, which another process or machine may have sent already. */
function findAwaitedRevision(parameters: readonly SentParameter[]): number {
  if (findFirstValue(parameters, 'cursor') !== undefined) return 0;
  const numbers = ['since', 'until'].map((name) => Number(findFirstValue(parameters, name)));
  const revision = Math.max(0, ...numbers.filter(Number.isSafeInteger));
  return revision <= MAX_REVISION ? revision : 0;
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

/** The operation that lists every published state of records. */
function createVintagesRoute(catalogue: readonly Dataset[]): PageRoute<VintagesPlan & PageQuery> {
  const operation = vintagesOperation(catalogue);
  const { findDataset, route } = createHistoryRoute(operation);
  return {
    ...route,
    parse(request) {
      const dataset = findDataset(request.target.path);
      const plan = planVintages(dataset, request);
      if (plan instanceof HttpError) return plan;
      return { ...plan, source: changesOf(dataset, 'vintages'), datasets: [dataset.name] };
    },
    cost({ vintages: { selection }, format }, page) {
      if (page) return computeRequestCost({ records: page.count, format });
      return Math.max(MIN_COMPUTED_COST, computeRequestCost({ records: selection.limit, format }));
    },
    async read(query, { view: { catalogue, revision }, reader }) {
      const dataset = catalogue.get(query.datasets[0] ?? '');
      return toPageRecords(query, await readVintages(reader, dataset, query.vintages, revision));
    },
  };
}
