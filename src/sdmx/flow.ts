import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { ShippedDeclaration } from '../catalogue/model/declaration.ts';
import type { KeyedValue } from '../catalogue/model/field.ts';
import { OBSERVATION_STATUSES } from '../catalogue/model/observation-status.ts';
import { getPeriod } from '../catalogue/model/observations.ts';
import { toFlowId } from '../catalogue/model/sdmx-address.ts';
import { assignIds, toCodeId } from './identifiers.ts';
import { FREQUENCIES, hasFiscalYears, hasMixedYears } from './time-period.ts';

/** The version of every artefact: what it holds may change, as the data does. */
export const VERSION = '1.0';

export interface Code {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

export interface CodeList {
  readonly id: string;
  readonly name: string;
  readonly codes: readonly Code[];
}

export interface Dimension {
  readonly id: string;
  readonly title: string;
  /** Absent on frequency and measure. */
  readonly field?: string;
  readonly codeList: CodeList;
  /** The ids of values. */
  readonly ids: ReadonlyMap<string, string>;
}

/** A figure of records: a value of the dimension MEASURE. */
export interface Measure {
  readonly id: string;
  readonly unit: string;
  /** The power of ten that makes figures units. */
  readonly multiplier: number;
  readonly decimals?: number | undefined;
  readonly getValue: (record: AnyRecord) => number | null;
}

/** An attribute of each observation, or of series. */
export interface Attribute {
  readonly id: string;
  readonly title: string;
  readonly isOfObservation: boolean;
  readonly isMandatory: boolean;
  readonly codeList?: CodeList;
  readonly type: 'String' | 'Integer' | 'MonthDay';
}

/** A dataset in the terms of SDMX. */
export interface Flow {
  readonly agency: string;
  readonly id: string;
  readonly dataset: Dataset;
  /** FREQ, those of the declaration, MEASURE; TIME_PERIOD follows. */
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly attributes: readonly Attribute[];
}

/** What only the records say: values of dimensions that the declaration does not list. */
export interface FlowValues {
  /** Of each declared dimension. */
  readonly dimensions: readonly (readonly string[])[];
  /** Keys of the list of figures, if records have one. */
  readonly members: readonly string[];
}

export const NO_VALUES: FlowValues = { dimensions: [], members: [] };

/** Ids and columns that no dimension of a dataset has. */
export const RESERVED_IDS = [
  ...['FREQ', 'MEASURE', 'TIME_PERIOD', 'OBS_VALUE', 'OBS_STATUS', 'UNIT_MEASURE', 'UNIT_MULT'],
  ...['DECIMALS', 'REPORTING_YEAR_START_DAY', 'DATAFLOW', 'STRUCTURE', 'STRUCTURE_ID', 'ACTION'],
];

export function createFlow(dataset: Dataset, agency: string, values: FlowValues): Flow {
  const id = toFlowId(dataset);
  const { kind } = getPeriod(dataset);
  const { dimensions: declared = [] } = dataset.declaration as ShippedDeclaration;
  const ids = assignIds(
    declared.map(({ field }) => field),
    (field) => field.toUpperCase(),
    RESERVED_IDS,
  );
  const listId = (dimension: string) => `CL_${id}-${dimension}`;
  const dimensions = declared.map(({ field, title, codes = {} }, index): Dimension => {
    const dimension = ids.get(field) ?? '';
    const labels = new Map(Object.entries(codes));
    const valueIds = assignIds([...labels.keys(), ...(values.dimensions[index] ?? [])], toCodeId);
    const list = Array.from(valueIds, ([value, code]) => buildCode(value, code, labels.get(value)));
    const codeList = { id: listId(dimension), name: title, codes: list };
    return { id: dimension, title, field, codeList, ids: valueIds };
  });
  const figures = listFigures(dataset.declaration as ShippedDeclaration, values.members);
  const figureIds = assignIds(
    figures.map(({ name }) => name),
    toCodeId,
  );
  const measures = figures.map(
    ({ name, ...figure }): Measure => ({ id: figureIds.get(name) ?? '', ...figure }),
  );
  const measureCodes = figures.map(({ name, title }) =>
    buildCode(name, figureIds.get(name) ?? '', title),
  );
  const frequency = FREQUENCIES[kind.unit];
  return {
    agency,
    id,
    dataset,
    dimensions: [
      {
        id: 'FREQ',
        title: 'Frequency',
        codeList: FREQUENCY_LIST,
        ids: new Map([[frequency.id, frequency.id]]),
      },
      ...dimensions,
      {
        id: 'MEASURE',
        title: 'Measure',
        codeList: { id: listId('MEASURE'), name: 'Measure', codes: measureCodes },
        ids: figureIds,
      },
    ],
    measures,
    attributes: [
      ...ATTRIBUTES,
      ...(hasFiscalYears(kind) || hasMixedYears(kind)
        ? [
            {
              ...YEAR_START,
              isOfObservation: hasMixedYears(kind),
              isMandatory: hasFiscalYears(kind),
            },
          ]
        : []),
    ],
  };
}

/** A value that is no id keeps it as its name. */
function buildCode(value: string, id: string, label = value): Code {
  if (id === value || label === value) return { id, name: label };
  return { id, name: value, description: label };
}

type Figure = Omit<Measure, 'id'> & { readonly name: string; readonly title: string };

/** The measures of records, then the members of their list. */
function listFigures(
  { measures, keyedList }: ShippedDeclaration,
  members: readonly string[],
): Figure[] {
  const own = measures.map(
    ({ field, ...measure }): Figure => ({
      name: field,
      title: measure.title,
      ...describeUnit(measure),
      getValue: (record) => (record[field] ?? null) as number | null,
    }),
  );
  if (!keyedList) return own;
  const { field, title, value } = keyedList;
  const listed = members.map(
    (member): Figure => ({
      name: `${field}.${member}`,
      title: `${title}: ${member}`,
      ...describeUnit(value),
      getValue: (record) =>
        (record[field] as readonly KeyedValue[]).find(({ key }) => key === member)?.value ?? null,
    }),
  );
  return [...own, ...listed];
}

type FigureUnit = Pick<
  ShippedDeclaration['measures'][number],
  'unit' | 'currency' | 'scale' | 'decimals' | 'integer'
>;

function describeUnit({ unit, currency, scale = 1, decimals, integer }: FigureUnit) {
  const multiplier = Math.round(Math.log10(scale));
  const isPower = 10 ** multiplier === scale;
  return {
    unit: isPower && scale !== 1 && currency !== undefined ? currency : unit,
    multiplier: isPower ? multiplier : 0,
    decimals: decimals ?? (integer ? 0 : undefined),
  };
}

const FREQUENCY_LIST: CodeList = {
  id: 'CL_FREQ',
  name: 'Frequency',
  codes: Object.values(FREQUENCIES),
};

const STATUS_LIST: CodeList = {
  id: 'CL_OBS_STATUS',
  name: 'Observation status',
  codes: Object.entries(OBSERVATION_STATUSES).map(([id, name]) => ({ id, name })),
};

const ATTRIBUTES: readonly Attribute[] = [
  {
    id: 'OBS_STATUS',
    title: 'Observation status',
    type: 'String',
    codeList: STATUS_LIST,
    isOfObservation: true,
    isMandatory: true,
  },
  {
    id: 'UNIT_MEASURE',
    title: 'Unit of measure',
    type: 'String',
    isOfObservation: false,
    isMandatory: true,
  },
  {
    id: 'UNIT_MULT',
    title: 'Unit multiplier',
    type: 'Integer',
    isOfObservation: false,
    isMandatory: true,
  },
  {
    id: 'DECIMALS',
    title: 'Decimals',
    type: 'Integer',
    isOfObservation: false,
    isMandatory: false,
  },
];

const YEAR_START = {
  id: 'REPORTING_YEAR_START_DAY',
  title: 'First day of the reporting year',
  type: 'MonthDay',
} as const;
