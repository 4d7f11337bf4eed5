import type { Client } from '../../background/schedule-job.ts';
import type { DataContext } from '../../pipeline/request-context.ts';
import type { RespondToTarget } from '../../pipeline/respond-to-target.ts';
import { deriveOnce } from './derive-response.ts';

/** The part of an entry of `/catalogue` that says whether its data is made up. */
interface PublishedDataset {
  readonly name: string;
  readonly lastRevision: { readonly sample: boolean } | null;
}

/** The names of the datasets whose last revision is made-up sample data. */
export async function readSampleDatasets(
  respondToTarget: RespondToTarget,
  data: DataContext,
  client: Client,
): Promise<ReadonlySet<string>> {
  const catalogue = await respondToTarget(data, client, '/catalogue');
  return deriveOnce(catalogue, 'samples', (records) => {
    const datasets = records as unknown as readonly PublishedDataset[];
    return new Set(
      datasets.flatMap(({ name, lastRevision }) => (lastRevision?.sample ? name : [])),
    );
  });
}
