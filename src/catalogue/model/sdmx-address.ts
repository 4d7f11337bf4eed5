import type { Dataset } from './dataset.ts';

/** Whether a dataset has a dataflow: each series, declared ones included. */
export function hasFlow({ shape }: Pick<Dataset, 'shape'>): boolean {
  return shape === 'series';
}

/** The id of a dataset's dataflow: in capitals, every other character `_`. Names of datasets stay apart. */
export function toFlowId({ name }: Pick<Dataset, 'name'>): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}

/** The path of a dataset's data by SDMX, as of a revision or now; null if it has no dataflow. */
export function getSdmxPath(dataset: Pick<Dataset, 'name' | 'shape'>, asOf?: string) {
  if (!hasFlow(dataset)) return null;
  return `/sdmx/2.1/${asOf === undefined ? '' : `as-of/${asOf}/`}data/${toFlowId(dataset)}`;
}
