/** A Plotly figure. */
export interface Figure {
  readonly data: readonly Trace[];
  readonly layout: PlotlyObject;
  readonly config: PlotlyObject;
}

export type Trace = PlotlyObject;
export type PlotlyObject = Readonly<Record<string, unknown>>;

export const THEME_NAMES = ['dark', 'light'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

/** The colours and fonts that a theme gives to a figure. */
export interface Theme {
  /** The grounds of widgets in Workspace. */
  readonly background: string;
  readonly text: string;
  readonly grid: string;
  /** Of lines and classes, in this order; each has a contrast of 3 to 1 at least. */
  readonly colors: readonly string[];
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    background: '#151518',
    text: '#e8edf1',
    grid: '#34393f',
    colors: [
      ...['#58b9d8', '#f2935f', '#ad9cf5', '#70c986', '#ee83b1'],
      ...['#d9b84d', '#a5b4c2', '#4fcabc', '#ff938a', '#9fc3ff'],
    ],
  },
  light: {
    background: '#FFFFFF',
    text: '#16212b',
    grid: '#e2ddd3',
    colors: [
      ...['#0b6e8f', '#d2571f', '#6a4fc0', '#2c8247', '#b92e6f'],
      ...['#8f6b00', '#566573', '#0c857a', '#b3312a', '#2f5fb3'],
    ],
  },
};

/** The colour of a line or class; after the last one they begin again. */
export function getColor({ colors }: Theme, index: number): string {
  return colors[index % colors.length] ?? '';
}

/** Plotly takes tags and entities in a text for markup: a class may be called `<1Y & cash`. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A figure in the colours of the theme; without traces it says that there is no data. */
export function buildFigure(
  { background, text, grid, colors }: Theme,
  traces: readonly Trace[],
  layout: Readonly<Record<string, PlotlyObject | string | number>>,
): Figure {
  const hasData = traces.length > 0;
  const lines = { gridcolor: grid, zerolinecolor: grid, linecolor: grid, automargin: true };
  const axes = Object.entries({ xaxis: {}, yaxis: {}, ...layout }).map(([name, value]) =>
    /^[xy]axis\d*$/.test(name)
      ? [name, { visible: hasData, ...lines, ...(value as PlotlyObject) }]
      : [name, value],
  );
  return {
    data: traces,
    layout: {
      paper_bgcolor: background,
      plot_bgcolor: background,
      font: { color: text, size: 12 },
      colorway: colors,
      margin: { l: 60, r: 20, t: 20, b: 40 },
      hovermode: 'x unified',
      hoverlabel: { bgcolor: background, bordercolor: grid, font: { color: text } },
      legend: { orientation: 'h', x: 0, y: 1, yanchor: 'bottom' },
      ...(!hasData && { annotations: [{ ...CENTRED, text: 'No data', font: { color: text } }] }),
      ...Object.fromEntries(axes),
    },
    config: { displaylogo: false, responsive: true },
  };
}

const CENTRED = { xref: 'paper', yref: 'paper', x: 0.5, y: 0.5, showarrow: false };
