import type { Catalogue } from '../../catalogue/catalogues.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import { findNextDue } from '../../catalogue/model/next-due.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { computeRequestCost, LIST_COST } from '../../http/background/job-scheduler.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { type EncodedPage, toPageRecords } from '../../http/responses/encode-page.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import type { Coverage } from '../../store/open-store.ts';
import { readLicence } from '../../tabular/list-licences.ts';
import { createOperationRoute, createScopeKey, listReadableDatasets } from '../operation-route.ts';
import { catalogueOperation } from './catalogue-operation.ts';

type CatalogueQuery = PageQuery & Pick<EncodedPage, 'nextPosition'>;

/** The route of the datasets in a token's scopes. */
export function createCatalogueRoute({ datasets: all }: Catalogue): PageRoute<CatalogueQuery> {
  const operation = catalogueOperation(all);
  return createOperationRoute(operation, {
    getScopeKey: createScopeKey(all),
    parse(page, { scopes }) {
      const { limit = DEFAULT_LIMIT } = page.filters;
      const start = all.findIndex(({ name }) => name === page.position?.[0]) + 1;
      const rest = listReadableDatasets(all.slice(start), scopes);
      const datasets = rest.slice(0, limit);
      const nextPosition = rest.length > limit ? datasets.slice(-1) : undefined;
      return { ...page, source: operation, datasets, nextPosition };
    },
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read({ nextPosition, ...query }, { view, reader }) {
      const datasets = query.datasets.map((name) => view.catalogue.get(name));
      const { revision, entries } = await reader.coverage(datasets, view.revision);
      const texts: string[] = [];
      for (const entry of entries) {
        const licence = await readLicence(reader, entry.dataset, revision);
        texts.push(JSON.stringify({ ...toCatalogueEntry(entry), licence }));
      }
      return { ...toPageRecords(query, { revision, texts, nextPosition }), source: FORM };
    },
  });
}

/** Without the names of datasets, which no table has. */
const FORM = catalogueOperation([]);

function toCatalogueEntry(newest: Coverage): object {
  const { dataset, first, last, count, lastRevision } = newest;
  return {
    ...buildCatalogueEntry(dataset),
    key: getKeyFields(dataset),
    coverage: { first, last, count },
    lastRevision,
    nextDue: findNextDue(newest),
    yearStart: dataset.period?.kind.hasYearStart ? dataset.period.kind.yearStart : null,
    source: dataset.declaration?.source ?? null,
  };
}
