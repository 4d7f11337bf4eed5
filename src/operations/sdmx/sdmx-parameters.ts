import {
  type AsOf,
  asOfParameter,
  type Parameter,
  parameter,
} from '../../catalogue/model/parameter.ts';
import { REFERENCES, STRUCTURE_DETAILS } from '../../sdmx/artefacts.ts';
import { DATA_DETAILS, DATA_FORMATS, STRUCTURE_FORMATS } from '../../sdmx/message-query.ts';
import { parseTimePeriod } from '../../sdmx/time-period.ts';

/** An instant without an offset is of UTC: some clients of SDMX send such. */
const instantParameter = (description: string): Parameter<AsOf> => ({
  ...asOfParameter,
  description,
  parse: (text) => asOfParameter.parse(text) ?? asOfParameter.parse(`${text}Z`),
});

const timePeriod = (description: string): Parameter<string> => ({
  description,
  requirement: 'a period such as 2024, 2024-06, 2024-Q2, 2024-W26, 2024-A1 or a day',
  schema: { type: 'string' },
  example: '2024-Q2',
  parse: (text) => (parseTimePeriod(text) ? text : undefined),
});

const AS_OF = {
  asOf: instantParameter('The message as of that revision or instant, as `as_of` elsewhere'),
  as_of: instantParameter('The same'),
};

export const STRUCTURE_PARAMETERS = {
  references: parameter.choice(
    'Which other artefacts the message has: those that refer to these, or that these refer to',
    REFERENCES,
    'none',
  ),
  detail: parameter.choice('Whether artefacts are complete or stubs', STRUCTURE_DETAILS, 'full'),
  ...AS_OF,
  format: parameter.choice('Format; wins over Accept', STRUCTURE_FORMATS, 'xml'),
};

const WINDOW = {
  firstNObservations: parameter.integer('How many observations of each series, from its start'),
  lastNObservations: parameter.integer('How many observations of each series, from its end'),
  updatedAfter: instantParameter(
    'Only observations that were published after that instant or revision; what was retired is left out',
  ),
  dimensionAtObservation: parameter.text(
    'The dimension that observations of a series differ by, or AllDimensions for no series',
    'TIME_PERIOD',
  ),
  includeHistory: parameter.choice('Earlier versions: see /vintages', ['false'], 'false'),
  ...AS_OF,
  format: parameter.choice(
    'Format: structure-specific XML 2.1, or SDMX-CSV 1.0 or 2.0; wins over Accept',
    DATA_FORMATS,
    'xml',
  ),
};

const PERIODS = {
  startPeriod: timePeriod('First period, inclusive'),
  endPeriod: timePeriod('Last period, inclusive'),
};

/** Of REST 1.5. */
export const DATA_PARAMETERS = {
  ...PERIODS,
  ...WINDOW,
  detail: parameter.choice(
    'full, or without attributes (dataonly), observations (nodata), or both (serieskeysonly)',
    DATA_DETAILS,
    'full',
  ),
};

/** Of REST 2.2, which has `c[…]` besides. */
export const DATA_PARAMETERS_2 = {
  ...PERIODS,
  ...WINDOW,
  attributes: parameter.choice('Whether the message has attributes', ['dsd', 'all', 'none'], 'dsd'),
  measures: parameter.choice('Whether the message has observations', ['all', 'none'], 'all'),
};
