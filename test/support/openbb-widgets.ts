/** A parameter of a widget in `widgets.json`. */
export interface WidgetParamEntry {
  readonly paramName: string;
  readonly type: string;
  readonly value: string | number | null;
  readonly options?: readonly { readonly value: string }[];
  readonly optionsEndpoint?: string;
}

export interface WidgetColumnEntry {
  readonly field: string;
  readonly cellDataType: 'text' | 'number' | 'dateString';
  readonly chartDataType: string;
}

export interface WidgetEntry {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly source: readonly string[];
  readonly mcp_tool?: { readonly mcp_server: string; readonly tool_id: string };
  readonly type: 'table';
  readonly endpoint: string;
  readonly params: readonly WidgetParamEntry[];
  readonly data: {
    readonly dataKey: string;
    readonly table: {
      readonly columnsDefs: WidgetColumnEntry[];
      readonly chartView?: {
        readonly enabled: boolean;
        readonly chartType: string;
        readonly cellRangeCols: Readonly<Record<string, readonly string[]>>;
      };
    };
  };
}

/** The target as Workspace asks for it: a parameter that is not chosen is empty. */
export function formatWidgetTarget(
  { endpoint, params }: WidgetEntry,
  chosen: Record<string, string> = {},
) {
  const values = params.map(({ paramName, value }) => [paramName, String(value ?? '')]);
  const query = { ...Object.fromEntries(values), theme: 'dark', ...chosen };
  return `/${endpoint}?${new URLSearchParams(query)}`;
}
