import type { Dataset, DatasetShape } from '../catalogue/model/dataset.ts';

/** Describes a request for a dataset and its response, in a sentence or two each. */
export function describeRequests({ shape, hasMessage, parameters }: Dataset): readonly string[] {
  const isPaged = shape === 'series' && parameters.limit !== undefined;
  return [
    ...REQUEST_DESCRIPTIONS[isPaged ? 'observations' : shape],
    hasMessage
      ? 'A success has `message`, an empty string, between `status` and `data`.'
      : 'A success has `status` and `data`, and no `message`.',
  ];
}

/** Which successes have a `message`, and which do not. */
export function describeMessage(catalogue: readonly Dataset[]): string {
  const titles = catalogue.filter(({ hasMessage }) => hasMessage).map(({ title }) => title);
  return `Every error has \`message\`. Of the successes, these have it too, as an empty string: ${titles.join('; ')}. The others have none.`;
}

const REQUEST_DESCRIPTIONS: Readonly<Record<DatasetShape | 'observations', readonly string[]>> = {
  quotes: [
    'Without `date`, `from` and `to`, the newest date in the data counts, never the clock: every quote of that date; with `type`, those of the newest date that has the type; with `symbol`, the newest quote of each security.',
    'If nothing matches, as on a day without quotes or for an unknown symbol, the response is 200 with an empty list.',
  ],
  fund: [
    '`fund_id` is needed. Without it, or if it is empty, the response is 200 with the error `no fund_id provided`; if no fund has it, 200 with the error `no_record_found`. These two come before every other error of a request.',
  ],
  series: [
    'Takes no parameters that select records: every record is sent, newest period first, and an empty list while there is none.',
  ],
  observations: [
    'Records come newest period first, or with `sort=asc` oldest period first, then by dimension values. `from` and `to` take a period, or a day in it. If nothing matches, the response is 200 with an empty list.',
    'With `frequency`, records are aggregated to coarser periods, for each combination of dimension values; `observed` and `expected` follow. A measure is null if some of its figures are missing; of days, also in the newest period, which is complete once there is a record after it. With `units`, figures become changes or growth: the period before, and the one a year before, are found by the calendar. First records are aggregated, then units computed; `Tenor-Units` has the resulting units.',
  ],
  reference: [
    'Has no operation of its own: the list at its path includes it. `/exports` and `/changes` have its records as they are.',
  ],
};
