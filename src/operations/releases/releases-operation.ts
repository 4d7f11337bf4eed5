import { schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import { NEXT_DUE_SCHEMA } from '../catalogue/catalogue-operation.ts';

/** What is released next, of every dataset, and what was released last. */
export const releasesOperation = {
  name: 'releases',
  tag: 'discovery',
  title: 'Releases',
  description:
    'When each dataset is released next: the period that is due, and the instants that are announced. Open to all; a token of its scope also gets its last releases, when they were due, and how many of its series the newest period has. A release is a revision with a period that is newer than all before. With `format=ics` it is a calendar of what is to come.',
  isOpen: 'partly',
  path: '/releases',
  parameters: {
    format: parameter.choice('json, or ics: a calendar (RFC 5545) to subscribe to', [
      ...(['json', 'ics'] as const),
    ]),
  },
  otherFormats: [{ mediaType: 'text/calendar', description: 'iCalendar (RFC 5545)' }],
  dataSchema: schema.array(
    'Every dataset that has a schedule',
    schema.object({
      dataset: schema.string('Name of the dataset'),
      title: schema.string('Title for people'),
      nextDue: NEXT_DUE_SCHEMA,
      dates: schema.array(
        'Announced instants that are to come: from that of the next period on, the earliest first',
        schema.instant('When something is to be released'),
      ),
      releases: schema.nullable(
        schema.array(
          '',
          schema.object({
            period: schema.nullable(
              { type: 'string' },
              'Label of the newest period, or its last day; null if no record was left',
            ),
            revision: schema.integer('Number of the revision'),
            publishedAt: schema.instant('When it was published'),
            dueAt: schema.nullable(
              schema.instant(''),
              'When it was due; null if nothing was awaited',
            ),
          }),
        ),
        'The last releases, newest first; null without a token of the scope',
      ),
      series: schema.nullable(
        schema.object({
          present: schema.integer('How many series have a record of the newest period'),
          expected: schema.integer('How many have one of the period before'),
        }),
        'Null without a token of the scope, and if series may come and go',
      ),
    }),
  ),
  example: [
    {
      dataset: 'ivr-banking-annual-value',
      title: 'IVR banking',
      nextDue: {
        period: '2026',
        dueAt: '2027-05-11T05:00:00.000Z',
        lateAt: '2027-06-10T00:00:00.000Z',
      },
      dates: ['2027-05-11T05:00:00.000Z'],
      releases: [
        {
          period: '2025',
          revision: 9,
          publishedAt: '2026-07-14T09:00:00.000Z',
          dueAt: '2026-05-12T00:00:00.000Z',
        },
      ],
      series: null,
    },
  ],
} satisfies Operation;
