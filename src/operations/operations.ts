import { Catalogue } from '../catalogue/catalogues.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { TokenRoute } from '../http/pipeline/route.ts';
import { createAlignedRoute } from './aligned/aligned-route.ts';
import { createAnalyticsRoute } from './analytics/analytics-route.ts';
import { createCashFlowsRoute } from './cashflows/cash-flows-route.ts';
import { createCatalogueRoute } from './catalogue/catalogue-route.ts';
import { createChangesRoute } from './changes/changes-route.ts';
import { createCorrectionsRoute } from './corrections/corrections-route.ts';
import { createCurveRoute } from './curve/curve-route.ts';
import { createDataPackageRoute } from './data-package/data-package-route.ts';
import { ExportFiles } from './exports/export-files.ts';
import { createExportRoute } from './exports/export-route.ts';
import { createFundsRoute } from './funds/funds-route.ts';
import { createPortfolioRoute } from './portfolio/portfolio-route.ts';
import { createPriceRoute } from './price/price-route.ts';
import { createRecordRoutes } from './records/record-routes.ts';
import { createReleasesRoute } from './releases/releases-route.ts';
import { createRevisionRoutes } from './revisions/revision-routes.ts';
import { createSecuritiesRoute } from './securities/securities-route.ts';
import { createVintagesRoute } from './vintages/vintages-route.ts';

/** The route of an operation on the data of a catalogue, or its routes. */
export type CreateRoutes = (
  catalogue: Catalogue,
  files: ExportFiles,
) => TokenRoute | readonly TokenRoute[];

/** Every operation on data, in the order of the OpenAPI document. */
export const OPERATIONS: readonly CreateRoutes[] = [
  createRecordRoutes,
  createCatalogueRoute,
  createSecuritiesRoute,
  createFundsRoute,
  createCurveRoute,
  createAnalyticsRoute,
  createCashFlowsRoute,
  createPriceRoute,
  createPortfolioRoute,
  createAlignedRoute,
  createExportRoute,
  createDataPackageRoute,
  createReleasesRoute,
  createRevisionRoutes,
  createCorrectionsRoute,
  createChangesRoute,
  createVintagesRoute,
];

export function declareOperations(
  datasets: readonly Dataset[],
  operations = OPERATIONS,
): Operation[] {
  const catalogue = new Catalogue(datasets);
  const routes = operations.flatMap((create) => create(catalogue, new ExportFiles()));
  return routes.flatMap(({ operation }) => operation ?? []);
}
