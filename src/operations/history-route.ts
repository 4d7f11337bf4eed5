import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { Parameters } from '../catalogue/model/parameter.ts';
import { HttpError } from '../http/http-error.ts';
import type { PageQuery, PageRoute, ReadContext } from '../http/pipeline/route.ts';
import { matchPath } from '../http/request/parse-query.ts';
import { type PageRecords, toPageRecords } from '../http/responses/encode-page.ts';
import { changesOf, type DatasetChanges } from '../tabular/encode-records.ts';
import { createOperationRoute, type OperationPage } from './operation-route.ts';

type HistoryOperation<P extends Parameters> = Operation<P> & {
  readonly name: DatasetChanges['kind'];
};

interface HistoryHandlers<P extends Parameters, Plan extends object>
  extends Pick<PageRoute<Plan & PageQuery>, 'cost' | 'findAwaitedRevision'> {
  getParameters(dataset: Dataset): Parameters;
  plan(page: OperationPage<P>, dataset: Dataset): Plan | HttpError;
  /** Reads records as JSON, as of the revision of the view, and where the next page begins. */
  readTexts(dataset: Dataset, plan: Plan, context: ReadContext): Promise<HistoryTexts | HttpError>;
}

type HistoryTexts = Pick<PageRecords, 'revision' | 'nextPosition' | 'isOfRange' | 'searched'> & {
  readonly texts: readonly string[];
};

/** The route of an operation on the history of the dataset that its path names. */
export function createHistoryRoute<P extends Parameters, Plan extends object>(
  operation: HistoryOperation<P>,
  { getParameters, plan, readTexts, ...handlers }: HistoryHandlers<P, Plan>,
): PageRoute<Plan & PageQuery> {
  const findDataset = (path: string) => matchPath(operation, path)?.dataset as Dataset;
  return createOperationRoute<P, Plan & PageQuery, PageRecords>(operation, {
    ...handlers,
    findScope: ({ path }) => findDataset(path).scope,
    getParameters: (path) => getParameters(findDataset(path)),
    parse(page, { target }) {
      const dataset = findDataset(target.path);
      const planned = plan(page, dataset);
      if (planned instanceof HttpError) return planned;
      const source = changesOf(dataset, operation.name);
      return { ...page, ...planned, source, datasets: [dataset.name] };
    },
    async read(query, context) {
      const dataset = context.view.catalogue.get(query.datasets[0] ?? '');
      const texts = await readTexts(dataset, query, context);
      return texts instanceof HttpError ? texts : toPageRecords(query, texts);
    },
  });
}
