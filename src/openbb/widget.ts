import type { AnyRecord, Dataset, Scope } from '../catalogue/model/dataset.ts';
import type { Parameters } from '../catalogue/model/parameter.ts';
import type { WidgetColumn, WidgetRow } from './columns.ts';

/** A table of OpenBB Workspace: what it shows, and which operation it reads. */
export interface Widget extends Pick<Dataset, 'title' | 'description'> {
  /** The rest of its endpoint; that of a declared dataset begins with `datasets/`. */
  readonly name: string;
  /** The dataset that its figures are of; absent if its user chooses one. */
  readonly dataset?: string;
  /** Absent if the operation that it reads decides. */
  readonly scope?: Scope;
  /** The choices of its user. A required parameter has a default from the data. */
  readonly parameters: Parameters;
  /** What a user chooses from, by the names of parameters whose schemas do not say so. */
  readonly options?: Readonly<Record<string, readonly WidgetOption[]>>;
  /** The path and query of the operation that it reads. */
  readonly toTarget: (values: ParameterTexts) => string;
  /** The rows of a record; absent if a record is a row as it is. */
  readonly toRows?: (record: AnyRecord, values: ParameterTexts) => readonly WidgetRow[];
  readonly columns: readonly WidgetColumn[];
  /** The chart that Workspace draws of the table at first. */
  readonly chart?: WidgetChart;
}

export interface WidgetChart {
  readonly type: 'line' | 'stackedColumn';
  /** The column of the horizontal axis, then the series. */
  readonly columns: readonly string[];
  /** Whether the records, which come newest first, are drawn from the oldest on. */
  readonly isOverTime: boolean;
}

export interface WidgetOption {
  readonly label: string;
  readonly value: string;
}

/** The parameters of a request that are not empty, by name. */
export type ParameterTexts = Readonly<Record<string, string>>;

/** The path of a widget's endpoint. */
export function getWidgetPath({ name }: Pick<Widget, 'name'>): string {
  return `/openbb/${name}`;
}

/** Workspace finds a widget by the key in `widgets.json`, or by its endpoint with underscores. */
export function getWidgetId({ name }: Pick<Widget, 'name'>): string {
  return `openbb_${name.replaceAll('/', '_')}`;
}

/** Workspace shows one page of JSON with every field, in the order that the service gives it. */
const UNUSED_PARAMETERS = ['cursor', 'format', 'fields', 'sort', 'order', 'compare'];

/** The parameters of an operation that make sense for a widget. */
export function selectParameters(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !UNUSED_PARAMETERS.includes(name)),
  );
}
