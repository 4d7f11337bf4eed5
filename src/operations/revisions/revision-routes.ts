import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import type { DataRoute, JsonResult, OperationQuery } from '../../http/pipeline/route.ts';
import { type PageRequest, parsePageRequest } from '../../http/request/data-query.ts';
import { parseQuery } from '../../http/request/parse-query.ts';
import { computeRequestCost } from '../../http/request/request-cost.ts';
import { matchPath } from '../../http/request/request-target.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { LedgerEntry, RecordChange, Revision, StoreReader } from '../../store/open-store.ts';
import { createScopeKey, listReadableDatasets } from '../catalogue/catalogue-routes.ts';
import { ledgerEntryOperation } from '../ledger/ledger-operations.ts';
import { REVISION_SCHEMAS, revisionOperation, revisionsOperation } from './revisions-operation.ts';

/**
 * The operations of the ledger, of all datasets that there ever were. A token reads the revisions of
 * the datasets in its scopes.
 */
export function createRevisionRoutes(datasets: readonly Dataset[]): DataRoute[] {
  return [
    createRevisionListRoute(datasets),
    createRevisionRoute(datasets),
    createLedgerEntryRoute(datasets),
  ];
}

interface LedgerQuery extends OperationQuery, Pick<PageRequest, 'position'> {
  readonly limit: number;
}

/** The datasets in the scopes of the token, or the one that is requested. */
type RevisionFilter = Required<Pick<OperationQuery, 'datasets'>> & { readonly before: number };

function createRevisionListRoute(
  catalogue: readonly Dataset[],
): DataRoute<LedgerQuery & RevisionFilter, JsonResult> {
  const operation = revisionsOperation(catalogue);
  return {
    ...createLedgerRoute(catalogue, operation.path),
    operation,
    parse(request) {
      const page = parsePageRequest(request, operation.parameters);
      if (page instanceof HttpError) return page;
      const { filters, ...query } = page;
      const values: ParameterValues<typeof operation.parameters> = filters;
      const { dataset, before = Infinity, limit = DEFAULT_LIMIT } = values;
      const readable = listReadableDatasets(catalogue, request.scopes);
      if (dataset === undefined) return { ...query, datasets: readable, before, limit };
      if (!readable.includes(dataset)) return new HttpError('forbidden');
      return { ...query, datasets: [dataset], before, limit };
    },
    cost: () => 1,
    async read({ datasets, before, limit, position = [] }, { view: { revision }, reader }) {
      const [last = Infinity] = position as [number?];
      // Revisions that are published while this is read are left out.
      const filter = { datasets, before: Math.min(before, last, revision + 1), limit: limit + 1 };
      const found = await reader.revisions(filter);
      const revisions = found.slice(0, limit);
      const lastListed = found.length > limit ? revisions.at(-1) : undefined;
      const nextPosition = lastListed && [lastListed.revision];
      return { revision, data: JSON.stringify(revisions.map(toRevisionJson)), nextPosition };
    },
  };
}

/** `readable` names the datasets in the scopes of the token. */
type NumberedRevision = { readonly number: number; readonly readable: readonly string[] };
type RevisionResult = JsonResult & { readonly foundCount: number };

function createRevisionRoute(
  datasets: readonly Dataset[],
): DataRoute<LedgerQuery & NumberedRevision, RevisionResult> {
  const operation = revisionOperation(datasets);
  return {
    ...createLedgerRoute(datasets, operation.path),
    operation,
    parse(request) {
      const page = parsePageRequest(request, operation.parameters);
      if (page instanceof HttpError) return page;
      const { filters, ...query } = page;
      const { limit = DEFAULT_LIMIT }: ParameterValues<typeof operation.parameters> = filters;
      const number = Number(matchPath(operation, request.target.path)?.n);
      const readable = listReadableDatasets(datasets, request.scopes);
      return { ...query, number, readable, limit };
    },
    // A change has two records.
    cost: ({ limit }, result) =>
      computeRequestCost({ records: 2 * (result?.foundCount ?? limit), format: 'json' }),
    async read({ number, readable, limit, position }, { view: { revision }, reader, damage }) {
      const entry = await findReadableEntry(reader, { number, newest: revision, readable });
      if (entry instanceof HttpError) return entry;
      const dataset = datasets.find(({ name }) => name === entry.dataset) as Dataset;
      const names = [dataset.name];
      if (damage.covers(names)) return DAMAGED_ERROR;
      const [isAddition, ...key] = position ?? [];
      const after = position && { isAddition: isAddition === 1, key };
      const found = await damage.watch(names, () =>
        reader.changes(dataset, number, limit + 1, after),
      );
      const changes = found.slice(0, limit);
      const last = found.length > limit ? changes.at(-1) : undefined;
      const { report, options } = entry;
      const json = JSON.stringify({ ...toRevisionJson(entry), report, options });
      const data = `${json.slice(0, -1)},"changes":[${changes.map(serializeChange).join()}]}`;
      const nextPosition = last && getPosition(dataset, last);
      return { revision, data, nextPosition, datasets: names, foundCount: found.length };
    },
  };
}

/** The operation that gives what the log has a digest of. */
function createLedgerEntryRoute(
  datasets: readonly Dataset[],
): DataRoute<OperationQuery & NumberedRevision, JsonResult> {
  const operation = ledgerEntryOperation;
  return {
    ...createLedgerRoute(datasets, operation.path),
    operation,
    parse({ target, scopes }) {
      const values = parseQuery(target.parameters, operation.parameters);
      if (values instanceof HttpError) return values;
      const number = Number(matchPath(operation, target.path)?.n);
      return { number, readable: listReadableDatasets(datasets, scopes) };
    },
    cost: () => 1,
    async read({ number, readable }, { view: { revision }, reader }) {
      const entry = await findReadableEntry(reader, { number, newest: revision, readable });
      if (entry instanceof HttpError) return entry;
      const { text } = (await reader.logEntry(number)) ?? {};
      return text ? { revision, data: text, isFinal: true } : new HttpError('no_log');
    },
  };
}

async function findReadableEntry(
  reader: Pick<StoreReader, 'ledgerEntry'>,
  { number, newest, readable }: NumberedRevision & { readonly newest: number },
): Promise<LedgerEntry | HttpError> {
  const entry = number <= newest ? await reader.ledgerEntry(number) : undefined;
  if (!entry) return new HttpError('not_found');
  return readable.includes(entry.dataset) ? entry : new HttpError('forbidden');
}

/** The part that these routes share: the ledger is never read as of an earlier revision. */
function createLedgerRoute(catalogue: readonly Dataset[], path: string) {
  return {
    path,
    isAlwaysCurrent: true,
    getScopeKey: createScopeKey(catalogue),
  } satisfies Partial<DataRoute>;
}

function getPosition(dataset: Dataset, { change, old, new: replacement }: RecordChange) {
  const record = JSON.parse(old ?? replacement ?? '') as AnyRecord;
  return [change === 'added' ? 1 : 0, ...getKeyValues(getStorageTable(dataset), record)];
}

/** Records are stored as JSON. */
function serializeChange({ change, old, new: replacement }: RecordChange): string {
  return `{"change":"${change}","old":${old},"new":${replacement}}`;
}

const REVISION_FIELDS = Object.keys(REVISION_SCHEMAS) as (keyof typeof REVISION_SCHEMAS)[];

/** A revision with its fields in the order of the schema. */
export function toRevisionJson(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return Object.fromEntries(
    REVISION_FIELDS.map((field) => [field, field === 'files' ? files : revision[field]]),
  );
}
