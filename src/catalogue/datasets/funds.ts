import { type DatasetRecord, defineReference } from '../model/dataset.ts';
import { nullable, text } from '../model/field-builders.ts';
import { createListParameters } from '../model/response-parameters.ts';
import { fundAllocation } from './fund-allocation.ts';

export const funds = defineReference({
  name: 'funds',
  title: 'Names of funds',
  description:
    'Reference data of funds, one record for each fund: its name, its category and who manages it.',
  notes: [
    'What is unknown is null. A file may leave columns out: what it does not have stays as it is.',
    'Categories are named as the source names them.',
  ],
  paths: ['/3.0/funds'],
  scope: fundAllocation.scope,
  parameters: createListParameters([
    ...['fund_id', 'frequency', 'firstPeriod', 'lastPeriod', 'name', 'category', 'manager'],
  ]),
  fields: {
    fund_id: fundAllocation.fields.fund_id,
    name: nullable(text('Name of the fund')),
    category: nullable(text('Category of the fund, such as money market or equity')),
    manager: nullable(text('Who manages it')),
  },
  example: {
    fund_id: fundAllocation.example.fund_id,
    name: 'Amberfield Cash Fund',
    category: 'Money market',
    manager: 'Amberfield Investments',
  },
});

export type FundRecord = DatasetRecord<typeof funds>;
