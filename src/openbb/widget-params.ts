import type { AnyRecord } from '../catalogue/model/dataset.ts';
import type { Parameter } from '../catalogue/model/parameter.ts';
import { type FundSummary, fundsOperation } from '../operations/funds/funds-operation.ts';
import {
  type SecuritySummary,
  securitiesOperation,
} from '../operations/securities/securities-operation.ts';
import { formatHeader } from './columns.ts';
import type { ParameterTexts, Widget } from './widget.ts';

/** The choices of a user for a widget in `widgets.json`; required parameters have defaults. */
export function buildParams({ parameters, options = {} }: Widget, defaults: ParameterTexts) {
  return Object.entries(parameters).map(([name, parameter]) => ({
    paramName: name,
    label: formatHeader(name),
    description: name === 'as_of' ? AS_OF_DESCRIPTION : parameter.description,
    ...describeInput(name, parameter),
    ...(options[name]?.length && { options: options[name], multiSelect: true }),
    ...(parameter.isRequired && { value: defaults[name] ?? '' }),
  }));
}

/** Users of Workspace know no headers. */
const AS_OF_DESCRIPTION =
  'The data as it was known then: the number of a revision, a day such as 2026-06-30, or an ISO 8601 instant. Empty for what is known now';

/** The value is null if a date is not chosen. */
function describeInput(name: string, { schema }: Parameter) {
  const list = OPTION_LISTS.find(({ parameter }) => parameter === name);
  const value = schema.default ?? '';
  if (list) return { type: 'endpoint', value, optionsEndpoint: list.path.slice(1) };
  if (schema.format === 'date') return { type: 'date', value: null };
  if (schema.type === 'integer') return { type: 'number', value };
  const choices = schema.enum as readonly string[] | undefined;
  const options = choices?.map((choice) => ({ label: choice, value: choice }));
  return { type: 'text', value, ...(options && { options }) };
}

/** A list of what a parameter may be. */
export interface OptionList {
  readonly path: string;
  readonly parameter: string;
  readonly operation: typeof securitiesOperation | typeof fundsOperation;
  readonly toOption: (record: AnyRecord) => object;
}

export const OPTION_LISTS: readonly OptionList[] = [
  {
    path: '/openbb/options/securities',
    parameter: 'symbol',
    operation: securitiesOperation,
    toOption(record) {
      const { symbol, name, isin, maturityDate } = record as unknown as SecuritySummary;
      return createOption(symbol, symbol, name ?? isin ?? '', maturityDate ?? '');
    },
  },
  {
    path: '/openbb/options/funds',
    parameter: 'fund_id',
    operation: fundsOperation,
    toOption(record) {
      const { fund_id, name, category, lastPeriod } = record as unknown as FundSummary;
      return createOption(name ?? fund_id, fund_id, category ?? '', lastPeriod?.label ?? '');
    },
  },
];

/** An entry of a list that a user chooses from. */
function createOption(label: string, value: string, description: string, right: string): object {
  return { label, value, extraInfo: { description, rightOfDescription: right } };
}
