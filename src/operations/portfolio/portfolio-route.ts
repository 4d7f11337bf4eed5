import { quotes } from '../../catalogue/datasets/quotes.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { FIGURE_DATASETS } from '../curve/curve-operation.ts';
import { createOperationRoute } from '../operation-route.ts';
import { estimateFiguresCost } from '../quote-figures-route.ts';
import type { PortfolioQuestion } from './add-up.ts';
import {
  createPortfolioTable,
  DEFAULT_KEY_RATES,
  portfolioOperation,
} from './portfolio-operation.ts';
import { valuePositions } from './value-positions.ts';

interface PortfolioQuery extends PageQuery {
  readonly question: PortfolioQuestion;
}

/** The route of figures of positions. */
export function createPortfolioRoute(): PageRoute<PortfolioQuery> {
  return createOperationRoute(portfolioOperation, {
    parse({ filters, ...page }) {
      const { positions, date, shift: shifts = [] } = filters;
      const { key_rates: keyRates = DEFAULT_KEY_RATES } = filters;
      if (!positions) return MISSING_POSITIONS_ERROR;
      const source = createPortfolioTable(keyRates, shifts);
      const question = { positions, date, shifts, keyRates };
      return { ...page, source, datasets: FIGURE_DATASETS, question };
    },
    cost: ({ question, format }, page) =>
      estimateFiguresCost(question.positions.length, format, page),
    async read(query, { view, reader, client }) {
      const { revision: asOf, catalogue } = view;
      const quotesAsOf = { dataset: catalogue.get(quotes.name), asOf };
      const records = await valuePositions(reader, quotesAsOf, query.question, client.signal);
      const texts = records.map((record) => JSON.stringify(record));
      return toPageRecords(query, { revision: asOf, texts });
    },
  });
}

const MISSING_POSITIONS_ERROR = new HttpError('missing_parameter', {
  parameter: 'positions',
  allowed: portfolioOperation.parameters.positions.requirement,
});
