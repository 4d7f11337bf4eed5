import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import { ARTEFACT_KINDS } from '../../sdmx/artefacts.ts';
import { DATA_OFFERS, type OfferedFormat, STRUCTURE_OFFERS } from './offers.ts';
import { DATA_PARAMETERS, DATA_PARAMETERS_2, STRUCTURE_PARAMETERS } from './sdmx-parameters.ts';

const flow = parameter.text(
  'Id of the dataflow: the name of the dataset in capitals, with _ for each hyphen; the agency and a comma may precede it',
  'IVR_BANKING_ANNUAL_VALUE',
);
const key = parameter.text(
  'Codes of each dimension, separated by dots: several joined by +, none for all of them; or all',
  'all',
);
const agency = parameter.text('Id of the agency, or all', 'all');

export interface SdmxOperation extends Operation {
  readonly offers: readonly OfferedFormat[];
}

const SHARED = {
  tag: 'sdmx',
  supportsAsOf: true,
  dataSchema: { type: 'string', description: 'The message' },
  example: '<?xml version="1.0" encoding="UTF-8"?>',
} as const;

/** The canonical addresses of SDMX; parts at their end may be left out. */
export const SDMX_OPERATIONS: readonly SdmxOperation[] = [
  {
    ...SHARED,
    name: 'sdmx-structure',
    title: 'Structures of SDMX',
    description:
      'Dataflows, data structures, code lists, concept schemes and the agency by REST 1.5: SDMX-ML 2.1, or SDMX-JSON 2.0 by `Accept` or `format`. There is a dataflow for each series, declared ones included. Code lists have the values that records have if the token has the scope. By REST 2.2 at `/sdmx/2/structure/{kind}/{agency}/{id}/{version}/{item}`. Below `/sdmx/`, the password of Basic authentication may be the token; the part `as-of/{as_of}/` after the version of REST names a revision or an instant.',
    path: '/sdmx/2.1/{kind}/{agency}/{id}/{version}',
    pathParameters: {
      kind: parameter.choice('The kind of artefact', ARTEFACT_KINDS),
      agency,
      id: parameter.text('Id of the artefact, or all', 'all'),
      version: parameter.text('Always 1.0; or latest', 'latest'),
    },
    parameters: STRUCTURE_PARAMETERS,
    offers: STRUCTURE_OFFERS,
  },
  {
    ...SHARED,
    name: 'sdmx-data',
    title: 'Data of SDMX',
    description:
      'The observations of a dataflow by REST 1.5, streamed: structure-specific XML 2.1, or SDMX-CSV 1.0 or 2.0 by `Accept` or `format`; other types are 406. The dimensions are FREQ, those of the dataset and MEASURE, whose codes are its figures. Fiscal years and their quarters are named by the year in which they begin, with `REPORTING_YEAR_START_DAY`. Where nothing matches: 404.',
    path: '/sdmx/2.1/data/{flow}/{key}',
    pathParameters: { flow, key },
    parameters: DATA_PARAMETERS,
    offers: DATA_OFFERS['2.1'],
  },
  {
    ...SHARED,
    name: 'sdmx-data-2',
    title: 'Data of SDMX by REST 2.2',
    description:
      'The same by the addresses of REST 2.2. `c[DIMENSION]` takes codes separated by commas; `c[TIME_PERIOD]` takes `ge:`, `gt:`, `le:`, `lt:` or `eq:` with a period after it, and two of these joined by `+`. Parts at the end of a key may be left out. `text/csv` is SDMX-CSV 2.0 here.',
    path: '/sdmx/2/data/{context}/{agency}/{flow}/{version}/{key}',
    pathParameters: {
      context: parameter.text('Always dataflow; or *', 'dataflow'),
      agency,
      flow,
      version: parameter.text('Always 1.0; or *', '1.0'),
      key,
    },
    parameters: DATA_PARAMETERS_2,
    offers: DATA_OFFERS['2'],
  },
];
