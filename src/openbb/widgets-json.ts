import { datasets } from '../catalogue/datasets/datasets.ts';
import { quotes } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { createLookupTable } from '../shared/lookup-table.ts';
import { createAlignedWidget } from './aligned-widget.ts';
import { createCorrectionsWidget } from './corrections-widget.ts';
import { createDatasetWidget } from './dataset-widgets.ts';
import { QUOTE_WIDGETS } from './quote-widgets.ts';
import { getWidgetId, getWidgetPath, type ParameterTexts, type Widget } from './widget.ts';
import { buildParams } from './widget-params.ts';

/** The data that the token may read, as the declarations need it. */
export interface DataSummary {
  /** Values of required parameters that a user has not chosen yet. */
  readonly defaults: ParameterTexts;
  /** The datasets that were last published as made-up sample data. */
  readonly sampleDatasets: ReadonlySet<string>;
  /** Scheme and host of the service. */
  readonly origin: string;
}

/** The name of the service's MCP server in Workspace. */
export const MCP_SERVER_NAME = 'Tenor';

export function buildWidgetsJson(
  widgets: readonly Widget[],
  { defaults, sampleDatasets }: DataSummary,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    widgets.map((widget) => [
      getWidgetId(widget),
      {
        name: widget.title,
        description: widget.description,
        category: CATEGORIES[widget.scope ?? 'all'] ?? 'Datasets',
        source: [
          sampleDatasets.has(widget.dataset ?? '') ? 'Tenor: sample data, not real' : 'Tenor',
        ],
        endpoint: getWidgetPath(widget).slice(1),
        gridData: { w: WIDGET_WIDTH, h: WIDGET_HEIGHT },
        params: buildParams(widget, defaults),
        ...describeContent(widget),
        ...findTool(widget),
      },
    ]),
  );
}

/** Half of a dashboard. */
export const WIDGET_WIDTH = 20;
export const WIDGET_HEIGHT = 14;

const CATEGORIES: Readonly<Record<string, string>> = createLookupTable({
  quotes: 'Bills and bonds',
  funds: 'Funds',
  alternate: 'Payments',
  all: 'Ledger',
});

/** The tools that read the same as a widget, by the same parameters. */
const MCP_TOOLS: Readonly<Record<string, string>> = createLookupTable({
  quotes: 'get_quotes',
  curve: 'get_curve',
  analytics: 'get_analytics',
  portfolio: 'get_portfolio',
  'fund-allocation': 'get_fund_allocation',
  securities: 'find_securities',
  funds: 'find_funds',
  corrections: 'get_corrections',
});

function findTool({ name }: Widget): object {
  const tool = MCP_TOOLS[name];
  return tool === undefined ? {} : { mcp_tool: { mcp_server: MCP_SERVER_NAME, tool_id: tool } };
}

function describeContent({ columns, chart }: Widget): object {
  // Without any, those of the data are shown.
  const columnsDefs = columns.length > 0 ? { columnsDefs: columns } : {};
  const chartView = chart && {
    enabled: true,
    chartType: chart.type,
    cellRangeCols: { [chart.type]: chart.columns },
  };
  const table = {
    showAll: true,
    enableCharts: true,
    ...(chartView && { chartView }),
    ...columnsDefs,
  };
  // Tables keep the envelope of the API.
  return { type: 'table', data: { dataKey: 'data', table } };
}

/** Every widget, from the catalogue. */
export function listWidgets(catalogue: readonly Dataset[]): readonly Widget[] {
  // Declarations are no rows: what they declare has widgets.
  const shown = catalogue.filter(({ name }) => name !== datasets.name);
  // Holidays and coupon rates have no operation of their own.
  const served = shown.filter(({ paths }) => !paths[0].startsWith('/vintages/'));
  return [
    ...(shown.some(({ name }) => name === quotes.name) ? QUOTE_WIDGETS : []),
    ...served.map(createDatasetWidget),
    createAlignedWidget(shown),
    createCorrectionsWidget(shown),
  ];
}
