import { datasets, toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Publication } from '../../src/publish/publish-records.ts';
import { generateDeclaredDatasets } from './declared-datasets.ts';
import { generateFundNames, generateFunds } from './generate-funds.ts';
import { generateMarket } from './market/generate-market.ts';
import { generateSeriesReleases } from './payments/series-releases.ts';

export interface SamplePublication extends Publication {
  readonly records: readonly AnyRecord[];
  readonly sample: true;
  readonly at: Date;
}

/** The publications of a fictitious market, oldest first, the same on every machine and day. */
export function createSamplePublications(): SamplePublication[] {
  const market = generateMarket();
  const series = generateSeriesReleases();
  const declared = generateDeclaredDatasets();
  const declarations = declared.map(({ declaration }) => toDeclarationRecord(declaration));
  return toPublications([
    ['2026-06-01', quotes, 'quotes to May 2026', market.quotesToMay],
    ['2026-06-01', securities, 'securities to May 2026', market.securitiesToMay],
    ...series.map(({ dataset, history }): PublicationDraft => {
      return ['2026-06-02', dataset, `to ${joinPeriods(dataset, history.slice(-1))}`, history];
    }),
    ['2026-06-09', fundAllocation, 'funds to May 2026', generateFunds('2026-05-31')],
    ['2026-06-09', funds, 'names of funds', generateFundNames()],
    ['2026-07-01', quotes, 'quotes of June 2026', market.juneQuotes],
    ['2026-07-01', securities, 'securities to June 2026', market.securitiesToJune],
    ['2026-07-03', quotes, 'last prices of 17 June 2026 put right', market.correctedQuotes],
    ['2026-07-09', fundAllocation, 'funds to June 2026', generateFunds('2026-06-30')],
    ...series.map(({ dataset, update, correction }): PublicationDraft => {
      const suffix = correction.length > 0 ? ', provisional' : '';
      return ['2026-07-14', dataset, `${joinPeriods(dataset, update)}${suffix}`, update];
    }),
    ...series.map(({ dataset, correction }): PublicationDraft => {
      return ['2026-07-20', dataset, `${joinPeriods(dataset, correction)}, revised`, correction];
    }),
    ['2026-07-21', datasets, 'datasets of the publisher’s own', declarations],
    ...declared.map(({ declaration, records }): PublicationDraft => {
      const dataset = createDeclaredDataset(declaration);
      return ['2026-07-21', dataset, `${declaration.name} to June 2026`, records];
    }),
  ]);
}

type PublicationDraft = readonly [
  day: string,
  dataset: Dataset,
  content: string,
  records: readonly AnyRecord[],
];

function joinPeriods({ period }: Dataset, records: readonly AnyRecord[]): string {
  return records.map((record) => record[period?.field ?? '']).join(', ');
}

/** The drafts with records, each at least a minute after the previous one. */
function toPublications(drafts: readonly PublicationDraft[]): SamplePublication[] {
  const publications = drafts.filter(([, , , records]) => records.length > 0);
  return publications.map(([day, dataset, content, records], index) => ({
    dataset,
    records,
    source: `made-up sample: ${content}`,
    author: 'sample',
    sample: true,
    at: new Date(Date.parse(`${day}T06:00:00Z`) + index * 60_000),
  }));
}
