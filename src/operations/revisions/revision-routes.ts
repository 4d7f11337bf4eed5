import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { computeRequestCost } from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type {
  DataRoute,
  JsonResult,
  OperationQuery,
  OperationRequest,
} from '../../http/pipeline/route.ts';
import { matchPath } from '../../http/request/parse-query.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { LedgerEntry, RecordChange, Revision, StoreReader } from '../../store/open-store.ts';
import { ledgerEntryOperation } from '../ledger/ledger-operations.ts';
import {
  createOperationRoute,
  createScopeKey,
  listReadableDatasets,
  type OperationPage,
} from '../operation-route.ts';
import { LISTED_FIELDS, revisionOperation, revisionsOperation } from './revisions-operation.ts';

/**
 * The routes of the ledger, of all datasets that there ever were. A token reads the revisions of the
 * datasets in its scopes, never as of an earlier revision.
 */
export function createRevisionRoutes(catalogue: Catalogue): DataRoute[] {
  const datasets = catalogue.listWithRetired();
  const shared = { isAlwaysCurrent: true, getScopeKey: createScopeKey(datasets) } as const;
  return [
    { ...shared, ...createRevisionListRoute(datasets) },
    { ...shared, ...createRevisionRoute(datasets) },
    { ...shared, ...createLedgerEntryRoute(datasets) },
  ];
}

interface LedgerQuery extends OperationQuery, Pick<OperationPage, 'position'> {
  readonly limit: number;
}

/** The datasets in the scopes of the token, or the one that is requested. */
type RevisionFilter = Required<Pick<OperationQuery, 'datasets'>> & { readonly before: number };

function createRevisionListRoute(
  catalogue: readonly Dataset[],
): DataRoute<LedgerQuery & RevisionFilter, JsonResult> {
  return createOperationRoute(revisionsOperation(catalogue), {
    parse({ filters, ...page }, { scopes }) {
      const { dataset, before = Infinity, limit = DEFAULT_LIMIT } = filters;
      const readable = listReadableDatasets(catalogue, scopes);
      if (dataset !== undefined && !readable.includes(dataset)) return new HttpError('forbidden');
      return { ...page, datasets: dataset === undefined ? readable : [dataset], before, limit };
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
  });
}

/** `readable` names the datasets in the scopes of the token. */
type NumberedRevision = { readonly number: number; readonly readable: readonly string[] };

function parseNumber(
  operation: Operation,
  datasets: readonly Dataset[],
  { target, scopes }: OperationRequest,
): NumberedRevision {
  const number = Number(matchPath(operation, target.path)?.n);
  return { number, readable: listReadableDatasets(datasets, scopes) };
}

type RevisionResult = JsonResult & { readonly foundCount: number };

function createRevisionRoute(
  datasets: readonly Dataset[],
): DataRoute<LedgerQuery & NumberedRevision, RevisionResult> {
  const operation = revisionOperation(datasets);
  return createOperationRoute(operation, {
    parse: ({ filters: { limit = DEFAULT_LIMIT }, ...page }, request) => ({
      ...page,
      ...parseNumber(operation, datasets, request),
      limit,
    }),
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
  });
}

/** The route of what the log has a digest of. */
function createLedgerEntryRoute(
  datasets: readonly Dataset[],
): DataRoute<OperationQuery & NumberedRevision, JsonResult> {
  return createOperationRoute(ledgerEntryOperation, {
    parse: (_, request): OperationQuery & NumberedRevision =>
      parseNumber(ledgerEntryOperation, datasets, request),
    cost: () => 1,
    async read({ number, readable }, { view: { revision }, reader }) {
      const entry = await findReadableEntry(reader, { number, newest: revision, readable });
      if (entry instanceof HttpError) return entry;
      const { text } = (await reader.logEntry(number)) ?? {};
      return text ? { revision, data: text, isFinal: true } : DAMAGED_ERROR;
    },
  });
}

async function findReadableEntry(
  reader: Pick<StoreReader, 'ledgerEntry'>,
  { number, newest, readable }: NumberedRevision & { readonly newest: number },
): Promise<LedgerEntry | HttpError> {
  const entry = number <= newest ? await reader.ledgerEntry(number) : undefined;
  if (!entry) return new HttpError('not_found');
  return readable.includes(entry.dataset) ? entry : new HttpError('forbidden');
}

function getPosition(dataset: Dataset, { change, old, new: replacement }: RecordChange) {
  const record = JSON.parse(old ?? replacement ?? '') as AnyRecord;
  return [change === 'added' ? 1 : 0, ...getKeyValues(getStorageTable(dataset), record)];
}

/** Records are stored as JSON. */
function serializeChange({ change, old, new: replacement }: RecordChange): string {
  return `{"change":"${change}","old":${old},"new":${replacement}}`;
}

/** A revision with its fields in the order of the schema. */
export function toRevisionJson(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const listed = { ...revision, files, note: revision.note ?? null };
  return Object.fromEntries(LISTED_FIELDS.map((field) => [field, listed[field]]));
}
