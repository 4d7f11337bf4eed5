import { formatHeader } from './columns.ts';
import { getWidgetId, type ParameterTexts, type Widget } from './widget.ts';
import { buildParams } from './widget-params.ts';
import { type DataSummary, MCP_SERVER_NAME, WIDGET_HEIGHT, WIDGET_WIDTH } from './widgets-json.ts';

/** Which widgets a tab of the dashboard has. */
const TABS = {
  market: ({ name }) => ['curve', 'board'].includes(name),
  security: ({ name }) => ['security', 'analytics'].includes(name),
  funds: ({ name }) => ['fund-allocation', 'funds'].includes(name),
  payments: (widget) => widget.scope === 'alternate' && !isDeclared(widget),
  datasets: isDeclared,
  corrections: ({ name }) => name === 'corrections',
} satisfies Record<string, (widget: Widget) => boolean>;

/** Each widget of a tab is a request: a publisher may declare any number of datasets. */
const MAX_WIDGETS = 20;

/** Choosing one of these in a widget chooses it in all widgets of the dashboard that have it. */
const SHARED_PARAMETERS = ['date', 'symbol', 'as_of'];

/** `apps.json`: one dashboard over the widgets. */
export function buildAppsJson(
  widgets: readonly Widget[],
  { defaults, sampleDatasets, origin }: DataSummary,
): object[] {
  const tabs = Object.entries(TABS)
    .map(([id, isIncluded]) => ({ id, widgets: widgets.filter(isIncluded).slice(0, MAX_WIDGETS) }))
    .filter((tab) => tab.widgets.length > 0);
  const includedWidgets = tabs.flatMap((tab) => tab.widgets);
  return [
    {
      name: 'Tenor',
      description: sampleDatasets.size > 0 ? `${DESCRIPTION} ${SAMPLE_NOTE}` : DESCRIPTION,
      img: '',
      img_dark: '',
      img_light: '',
      allowCustomization: true,
      tabs: Object.fromEntries(
        tabs.map((tab) => [
          tab.id,
          { id: tab.id, name: formatHeader(tab.id), layout: buildLayout(tab.widgets) },
        ]),
      ),
      groups: SHARED_PARAMETERS.flatMap((name) => buildGroup(name, includedWidgets, defaults)),
      prompts: PROMPTS,
      mcp_servers: [
        {
          name: MCP_SERVER_NAME,
          description: 'The same data for the assistant, by tools that read it.',
          url: `${origin}/mcp`,
          // Workspace forwards the headers of the backend.
          authType: 'token',
        },
      ],
    },
  ];
}

const DESCRIPTION =
  'The yield curve and the board of quotes, one security, the mix of a fund, payment statistics, and what was corrected; all of it as of any earlier day.';
const SAMPLE_NOTE = 'With sample data: no security, fund or figure in it is real.';

const PROMPTS = [
  'How steep is the yield curve, and where does it bend?',
  'Which securities yield more than the fitted curve?',
  'How did the mix of this fund change over the last year?',
  'Which figures were corrected last, and by how much?',
];

/** Charts come first, two in a row, then tables in the full width. */
function buildLayout(widgets: readonly Widget[]): object[] {
  const charts = widgets.filter(({ chart }) => chart);
  const tables = widgets.filter(({ chart }) => !chart);
  const chartRows = Math.ceil(charts.length / 2);
  return [...charts, ...tables].map((widget, index) => {
    const isSingle = index >= charts.length || (index === charts.length - 1 && index % 2 === 0);
    const row = index < charts.length ? Math.floor(index / 2) : chartRows + index - charts.length;
    return {
      i: getWidgetId(widget),
      x: index < charts.length ? (index % 2) * WIDGET_WIDTH : 0,
      y: row * WIDGET_HEIGHT,
      w: isSingle ? 2 * WIDGET_WIDTH : WIDGET_WIDTH,
      h: WIDGET_HEIGHT,
    };
  });
}

function isDeclared({ name }: Widget): boolean {
  return name.startsWith('datasets/');
}

/** None if fewer than two widgets have the parameter. */
function buildGroup(
  paramName: string,
  widgets: readonly Widget[],
  defaults: ParameterTexts,
): object[] {
  const members = widgets.filter(({ parameters }) => Object.hasOwn(parameters, paramName));
  if (members.length < 2) return [];
  const params = members.flatMap((widget) => buildParams(widget, defaults));
  const hasOptions = params.some((param) => param.paramName === paramName && param.optionsEndpoint);
  return [
    {
      name: formatHeader(paramName),
      type: hasOptions ? 'endpointParam' : 'param',
      paramName,
      defaultValue: defaults[paramName] ?? '',
      widgetIds: members.map(getWidgetId),
    },
  ];
}
