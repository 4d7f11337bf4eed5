import { fundAllocation } from '../catalogue/datasets/fund-allocation.ts';
import { quotes } from '../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { Publication } from '../publish/publish-records.ts';
import { generateFunds } from './funds/generate-funds.ts';
import { generateMarket } from './market/generate-market.ts';
import { generateSeriesReleases, type SeriesReleases } from './payments/series-releases.ts';

/** A publication of made-up data, at an instant in the past. */
export interface SamplePublication extends Publication {
  readonly records: readonly AnyRecord[];
  readonly sample: true;
  readonly at: Date;
}

/**
 * A made-up market, in the order of its publications: first the history of every dataset, then
 * what came after, corrections among it. The same on every machine and every day, and nothing is
 * published before it happened.
 */
export function createSamplePublications(): SamplePublication[] {
  const { quotesToMay, juneQuotes, correctedQuotes } = generateMarket();
  const series = generateSeriesReleases();
  return toPublications([
    ['2026-06-01', quotes, 'quotes to May 2026', quotesToMay],
    ...series.map(draftInitialPublication),
    ['2026-06-09', fundAllocation, 'funds to May 2026', generateFunds('2026-05-31')],
    ['2026-07-01', quotes, 'quotes of June 2026', juneQuotes],
    ['2026-07-03', quotes, 'last prices of 17 June 2026 put right', correctedQuotes],
    ['2026-07-09', fundAllocation, 'funds to June 2026', generateFunds('2026-06-30')],
    ...series.map(draftUpdatePublication),
    ...series.map(draftCorrectionPublication),
  ]);
}

type PublicationDraft = readonly [
  day: string,
  dataset: Dataset,
  content: string,
  records: readonly AnyRecord[],
];

function draftInitialPublication({ dataset, history }: SeriesReleases): PublicationDraft {
  return ['2026-06-02', dataset, `to ${joinPeriodLabels(dataset, history.slice(-1))}`, history];
}

function draftUpdatePublication({ dataset, update, correction }: SeriesReleases): PublicationDraft {
  const standing = correction.length > 0 ? ', provisional' : '';
  return ['2026-07-14', dataset, `${joinPeriodLabels(dataset, update)}${standing}`, update];
}

function draftCorrectionPublication({ dataset, correction }: SeriesReleases): PublicationDraft {
  return ['2026-07-20', dataset, `${joinPeriodLabels(dataset, correction)}, revised`, correction];
}

function joinPeriodLabels({ period }: Dataset, records: readonly AnyRecord[]): string {
  return records.map((record) => record[period?.field ?? '']).join(', ');
}

/** The drafts that hold something, each a minute later than the one before or on a later day. */
function toPublications(drafts: readonly PublicationDraft[]): SamplePublication[] {
  const held = drafts.filter(([, , , records]) => records.length > 0);
  return held.map(([day, dataset, content, records], index) => ({
    dataset,
    records,
    source: `made-up sample: ${content}`,
    author: 'sample',
    sample: true,
    at: new Date(Date.parse(`${day}T06:00:00Z`) + index * 60_000),
  }));
}
