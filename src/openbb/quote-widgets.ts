import { quotes } from '../catalogue/datasets/quotes.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { fieldsSchema, type JsonSchema } from '../catalogue/model/json-schema.ts';
import { parameter } from '../catalogue/model/parameter.ts';
import { analyticsOperation } from '../operations/analytics/analytics-operation.ts';
import { curveOperation } from '../operations/curve/curve-operation.ts';
import {
  createPortfolioTable,
  DEFAULT_KEY_RATES,
  portfolioOperation,
} from '../operations/portfolio/portfolio-operation.ts';
import { createObjectLayout } from '../tabular/layout.ts';
import { buildColumns, createRowMapper } from './columns.ts';
import { selectParameters, type Widget } from './widget.ts';

const {
  scope,
  paths: [QUOTES_PATH],
  parameters: { symbol, from, to, type, as_of },
} = quotes;

const date = parameter.day('The newest day by default', quotes.example.date);

const OF_QUOTES = { dataset: quotes.name, scope };

/** All quotes of a day: no market has more. */
const MAX_QUOTES = '10000';

const quotesLayout = createObjectLayout(fieldsSchema(quotes.fields));

/** A click on a symbol selects it for the other widgets of its group. */
const SELECTING = {
  renderFn: 'cellOnClick',
  renderFnParams: { actionType: 'groupBy', groupBy: { paramName: 'symbol' } },
} as const;

const BOARD: Widget = {
  name: 'board',
  title: 'Board of quotes',
  description:
    'Every quote of a day. A click on a symbol selects it for the widgets of its group; the board itself always shows all.',
  ...OF_QUOTES,
  parameters: {
    date,
    type,
    symbol: { ...symbol, description: 'The selected security, which is no filter here' },
    as_of,
  },
  toTarget: ({ symbol: _, ...texts }) => formatTarget(QUOTES_PATH, { ...texts, limit: MAX_QUOTES }),
  columns: buildColumns(quotesLayout, { leading: ['symbol'] }).map((column) =>
    column.field === 'symbol' ? { ...column, ...SELECTING } : column,
  ),
};

/** Ten years of business days. */
const MAX_HISTORY = '2600';
const LAST_DAY = '9999-12-31';

const SECURITY: Widget = {
  name: 'security',
  title: 'Price and yield of a security',
  description:
    'The last price and the yield to maturity of a security through time; at most the newest 2,600 quotes.',
  ...OF_QUOTES,
  parameters: { symbol: { ...symbol, isRequired: true }, from, to, as_of },
  toTarget: ({ to: last = LAST_DAY, ...texts }) =>
    formatTarget(QUOTES_PATH, { ...texts, to: last, limit: MAX_HISTORY }),
  columns: buildColumns(quotesLayout),
  chart: { type: 'line', columns: ['date', 'lastPrice', 'ytm'], isOverTime: true },
};

const { path: CURVE_PATH, parameters: CURVE_PARAMETERS, rowList } = curveOperation;

/** Of one day, so that widgets of a group share it. */
const curveDate = { ...CURVE_PARAMETERS.date, schema: date.schema, description: date.description };

const curveLayout = createObjectLayout(curveOperation.dataSchema.items as JsonSchema, rowList);

const CURVE: Widget = {
  name: curveOperation.name,
  title: curveOperation.title,
  description:
    'The curve of government or corporate paper on a day, a row for each tenor: fitted yield, zero, par and forward rates and the discount factor, empty if they cannot be known.',
  ...OF_QUOTES,
  parameters: {
    date: curveDate,
    market: CURVE_PARAMETERS.market,
    tenors: CURVE_PARAMETERS.tenors,
    as_of,
  },
  toTarget: (texts) => formatTarget(CURVE_PATH, texts),
  toRows: createRowMapper(curveLayout),
  columns: buildColumns(curveLayout),
  chart: { type: 'line', columns: ['tenor', 'yield', 'zero', 'par', 'forward'], isOverTime: false },
};

const analyticsLayout = createObjectLayout(analyticsOperation.dataSchema.items as JsonSchema);

const ANALYTICS: Widget = {
  name: analyticsOperation.name,
  title: analyticsOperation.title,
  description: analyticsOperation.description,
  ...OF_QUOTES,
  parameters: selectParameters(analyticsOperation.parameters),
  toTarget: (texts) => formatTarget(analyticsOperation.path, texts),
  columns: buildColumns(analyticsLayout),
};

const { parameters: PORTFOLIO_PARAMETERS } = portfolioOperation;
const SHIFTS = [-100, 100];
const portfolioLayout = createObjectLayout(
  createPortfolioTable(DEFAULT_KEY_RATES, SHIFTS).dataSchema.items as JsonSchema,
);
const toPortfolioRows = createRowMapper(portfolioLayout);

const PORTFOLIO: Widget = {
  name: portfolioOperation.name,
  title: portfolioOperation.title,
  description:
    'Market value, yield, durations and key-rate durations of positions such as SYMBOL:1000000, their values if the curve shifts by 100 basis points, and the total.',
  ...OF_QUOTES,
  parameters: { positions: PORTFOLIO_PARAMETERS.positions, date, as_of },
  // Of an empty database, whose securities have no names to begin with.
  toTarget: ({ positions = '', ...texts }) =>
    formatTarget(portfolioOperation.path, {
      positions: positions.includes(':') ? positions : `${positions}:0`,
      ...texts,
      shift: SHIFTS.join(),
    }),
  toRows: (record) =>
    record.face === 0 && record.marketValue === null ? [] : toPortfolioRows(record),
  columns: buildColumns(portfolioLayout, { leading: ['symbol'] }),
};

/** The widgets of quotes beyond their table. */
export const QUOTE_WIDGETS: readonly Widget[] = [CURVE, BOARD, SECURITY, ANALYTICS, PORTFOLIO];
