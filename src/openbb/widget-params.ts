import type { Parameter } from '../catalogue/model/parameter.ts';
import { formatHeader } from './columns.ts';
import { OPTION_LISTS } from './options.ts';
import type { ParameterTexts, Widget } from './widget.ts';

/** A parameter in `widgets.json`. */
export interface WidgetParam {
  readonly paramName: string;
  readonly label: string;
  readonly description: string;
  readonly type: 'date' | 'text' | 'number' | 'endpoint';
  /** Null where a date is not chosen. */
  readonly value: string | number | null;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  readonly optionsEndpoint?: string;
}

/** The choices of a user for a widget; required parameters have defaults. */
export function buildParams({ parameters }: Widget, defaults: ParameterTexts): WidgetParam[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    paramName: name,
    label: formatHeader(name),
    description: name === 'as_of' ? AS_OF_DESCRIPTION : parameter.description,
    ...describeInput(name, parameter),
    ...(parameter.isRequired && { value: defaults[name] ?? '' }),
  }));
}

/** Users of Workspace know no headers. */
const AS_OF_DESCRIPTION =
  'The data as it was known then: the number of a revision, a day such as 2026-06-30, or an ISO 8601 instant. Empty for what is known now';

type Input = Pick<WidgetParam, 'type' | 'value' | 'options' | 'optionsEndpoint'>;

function describeInput(name: string, { schema }: Parameter): Input {
  const list = OPTION_LISTS.find(({ parameter }) => parameter === name);
  const value = (schema.default ?? '') as string | number;
  if (list) return { type: 'endpoint', value, optionsEndpoint: list.path.slice(1) };
  if (schema.format === 'date') return { type: 'date', value: null };
  if (schema.type === 'integer') return { type: 'number', value };
  const choices = schema.enum as readonly string[] | undefined;
  return {
    type: 'text',
    value,
    ...(choices && { options: choices.map((choice) => ({ label: choice, value: choice })) }),
  };
}
