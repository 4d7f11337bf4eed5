import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { recordReferences, schema } from '../../catalogue/model/json-schema.ts';
import { OBSERVATION_STATUSES } from '../../catalogue/model/observation-status.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import { pageParameters, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { describeHistory, FIELDS_OF_DATASET } from '../history-operation.ts';

/** The change of a record between two revisions. */
export type ChangeName = (typeof CHANGE_NAMES)[number];
const CHANGE_NAMES = ['added', 'corrected', 'retired'] as const;

/** Operations that turn a copy of one revision into a later one. */
export const changesOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...describeHistory('changes', catalogue, { change: 'added', record: quotes.example }),
    title: 'Changes between two revisions',
    description:
      'What must be done to a copy of revision `since` to have the newest one, or revision `until`: records to add, to put in the place of the one with the same key, and to delete, in the order of the dataset. A record that changed several times comes once; one that is as it was does not come. All pages are of one revision, which is in `Tenor-Revision`: the next `since`. If `Tenor-Since-Published-At` is not what `Tenor-Published-At` was with that revision, the database is another one: begin with `since=0`. In JSON and NDJSON the `status` of a record of a series follows it, by the code list of SDMX (`P` provisional, `E` estimated), unless it is `A`, normal, or the record has a field of that name. In other formats than JSON and NDJSON the first column is `change`, and the others are those of the export, or those that `fields` names. With `as_of` or `Accept-Datetime`, that revision is the newest one.',
    parameters: {
      since: {
        ...parameter.revision('The revision that the copy has; with 0, every record is added'),
        example: '0',
        isRequired: true,
      },
      until: parameter.revision('The revision that the changes lead to; the newest one by default'),
      as_stored: parameter.choice(
        'Whether records are as they were stored, without fields that were added later: the lines whose digests the ledger has. As JSON or NDJSON only',
        ['true', 'false'],
        'false',
      ),
      ...pageParameters('changes'),
      fields: FIELDS_OF_DATASET,
      ...TABLE_PARAMETERS,
    },
    dataSchema: {
      type: 'array',
      items: schema.object(
        {
          change: schema.choice(CHANGE_NAMES),
          record: {
            anyOf: recordReferences(catalogue),
            description: 'The record after the change; if it was retired, as the copy has it',
          },
          status: schema.choice(Object.keys(OBSERVATION_STATUSES), 'Of a series, if it is not A'),
        },
        ['status'],
      ),
    },
  }) satisfies Operation;
