import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { computeRequestCost } from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import type { Correction, CorrectionFilter, StoreReader } from '../../store/open-store.ts';
import { createHistoryRoute } from '../history-route.ts';
import type { OperationPage } from '../operation-route.ts';
import { splitSymbols } from '../plan-query.ts';
import { correctionParametersFor, correctionsOperation } from './corrections-operation.ts';

type CorrectionsPlan = { readonly filter: CorrectionFilter };

/** The route of corrected and retired records. */
export const createCorrectionsRoute = ({
  datasets,
}: Catalogue): PageRoute<CorrectionsPlan & PageQuery> =>
  createHistoryRoute(correctionsOperation(datasets), {
    getParameters: correctionParametersFor,
    plan: planCorrections,
    // A correction has two records.
    cost: ({ filter, format }, page) =>
      computeRequestCost({ records: 2 * (page?.count ?? filter.limit), format }),
    readTexts: (dataset, { filter }, { view, reader }) =>
      readCorrections(reader, dataset, filter, view.revision),
  });

type CorrectionsPage = OperationPage<ReturnType<typeof correctionsOperation>['parameters']>;

function planCorrections(
  { filters, position }: CorrectionsPage,
  { shape }: Dataset,
): CorrectionsPlan | HttpError {
  const { symbol, fund_id, limit = DEFAULT_LIMIT, ...others } = filters;
  const { from, to } = others;
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  const [revision, ...key] = position ?? [];
  const symbols = symbol === undefined ? undefined : splitSymbols(symbol);
  const funds = fund_id === undefined ? undefined : [fund_id];
  const securities = shape === 'quotes' ? symbols : undefined;
  const identifiers = shape === 'reference' ? (symbols ?? funds) : funds;
  const filter = {
    ...others,
    ...(securities && { securities }),
    ...(identifiers && { identifiers }),
    ...(position && { after: { revision: Number(revision), key } }),
    limit,
  };
  return { filter };
}

async function readCorrections(
  reader: Pick<StoreReader, 'corrections'>,
  dataset: Dataset,
  filter: CorrectionFilter,
  asOf: number,
) {
  const { limit } = filter;
  // One record more than requested shows whether there is another page.
  const page = { ...filter, limit: limit + 1 };
  const { revision, entries } = await reader.corrections(dataset, page, asOf);
  const corrections = entries.slice(0, limit);
  const last = entries.length > limit ? corrections.at(-1) : undefined;
  const key = last && getKeyValues(getStorageTable(dataset), JSON.parse(last.old) as AnyRecord);
  const nextPosition = key && [last.revision, ...key];
  return { revision, texts: corrections.map(serializeCorrection), nextPosition };
}

function serializeCorrection(correction: Correction): string {
  const { revision, publishedAt, change, old, new: replacement } = correction;
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
