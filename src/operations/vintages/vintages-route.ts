import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getObservationsForm } from '../../catalogue/model/observations.ts';
import { MAX_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { computeListCost, computeSearchCost } from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import type { PageRequest } from '../../http/request/parse-query.ts';
import { serializeStatus } from '../../store/change-lines.ts';
import type { StoreReader, Vintage, VintageFilter } from '../../store/open-store.ts';
import { createHistoryRoute } from '../history-route.ts';
import {
  type DistributiveOmit,
  planObservations,
  planQuotes,
  splitSymbols,
} from '../plan-query.ts';
import { countSearched, searchesRecords } from '../searched-records.ts';
import { getIdentifier, vintageParametersFor, vintagesOperation } from './vintages-operation.ts';

type StateSelection = DistributiveOmit<VintageFilter['selection'], 'dataset'>;

/** A page of the states of records. */
interface VintagesPlan
  extends Omit<VintageFilter, 'selection'>,
    Pick<PageQuery, 'isBounded' | 'available'> {
  readonly selection: StateSelection;
  readonly limit: number;
}

/** The route of every published state of records. */
export const createVintagesRoute = ({ datasets }: Catalogue): PageRoute<VintagesPlan & PageQuery> =>
  createHistoryRoute(vintagesOperation(datasets), {
    getParameters: vintageParametersFor,
    plan({ position, ...page }, dataset): VintagesPlan | HttpError {
      const selection = planStates(dataset, page);
      if (selection instanceof HttpError) return selection;
      const isFirstOnly = page.filters.release === 'first';
      const { limit } = selection;
      return { selection, limit, isFirstOnly, after: position, isBounded: true };
    },
    cost({ selection, limit, format, available = limit }, page) {
      const isSearch = searchesRecords(selection);
      const searched = page ? page.searched : isSearch ? available : 0;
      const cost = computeListCost({ limit: Math.min(limit, available), format }, page);
      return cost + computeSearchCost(searched);
    },
    async readTexts(dataset, plan, { view: { revision: asOf }, reader }) {
      const searched = await countSearched(reader, { ...plan.selection, dataset, asOf });
      return { ...(await readVintages(reader, dataset, plan, asOf)), ...searched };
    },
  });

function planStates(dataset: Dataset, page: PageRequest): StateSelection | HttpError {
  if (dataset.shape === 'quotes')
    return planQuotes({ ...page, filters: { limit: MAX_LIMIT, ...page.filters } });
  if (dataset.shape !== 'series') return planIdentifiers(dataset, page);
  const plan = planObservations(getObservationsForm(dataset), page);
  return plan instanceof HttpError ? plan : (plan.selection as StateSelection);
}

function planIdentifiers(dataset: Dataset, { filters }: PageRequest): StateSelection {
  const { [getIdentifier(dataset)]: texts, limit = MAX_LIMIT } = filters;
  const identifiers = texts === undefined ? undefined : splitSymbols(String(texts));
  return { kind: 'records', limit: Number(limit), ...(identifiers && { identifiers }) };
}

async function readVintages(
  reader: Pick<StoreReader, 'vintages'>,
  dataset: Dataset,
  { selection, isFirstOnly, after, limit }: VintagesPlan,
  asOf: number,
) {
  // One state more than requested shows whether there is another page.
  const filter = { isFirstOnly, after, selection: { ...selection, dataset, limit: limit + 1 } };
  const { revision, entries } = await reader.vintages(filter as VintageFilter, asOf);
  const vintages = entries.slice(0, limit);
  const last = entries.length > limit ? vintages.at(-1) : undefined;
  const nextPosition = last && [...last.key, last.since];
  const hasOwnStatus = Object.hasOwn(dataset.fields, 'status');
  const texts = vintages.map((vintage) => serializeVintage(vintage, hasOwnStatus));
  return { revision, texts, nextPosition };
}

function serializeVintage(
  { key: _, record, status, ...validity }: Vintage,
  hasOwnStatus: boolean,
): string {
  const fields = record.slice(0, -1) + serializeStatus(status, hasOwnStatus);
  return `${fields},${JSON.stringify(validity).slice(1)}`;
}
