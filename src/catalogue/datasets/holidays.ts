import { type DatasetRecord, defineReference } from '../model/dataset.ts';
import { day, identifier, nullable, text } from '../model/field-builders.ts';
import { parameter } from '../model/parameter.ts';
import { fieldsParameter, pageParameters, TABLE_PARAMETERS } from '../model/response-parameters.ts';
import { quotes } from './quotes.ts';

export const holidays = defineReference({
  name: 'holidays',
  title: 'Public holidays',
  description:
    'Days on which a market is closed, besides Saturdays and Sundays, one record for each calendar and day.',
  notes: [
    'Securities name their calendar; it decides which days are business days, as far as its holidays are known.',
  ],
  paths: ['/vintages/holidays'],
  scope: quotes.scope,
  parameters: {
    calendar: parameter.text('Name of one calendar', 'ZED'),
    ...pageParameters('states'),
    fields: fieldsParameter(['calendar', 'date', 'name']),
    ...TABLE_PARAMETERS,
  },
  fields: {
    calendar: identifier('Name of the calendar, in any letter case'),
    date: day('Day that is no business day'),
    name: nullable(text('Name of the holiday')),
  },
  keyFields: ['calendar', 'date'],
  example: { calendar: 'ZED', date: '2026-12-25', name: 'Midwinter' },
});

export type Holiday = DatasetRecord<typeof holidays>;
