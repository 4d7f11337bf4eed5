import type { Dataset } from '../../catalogue/model/dataset.ts';
import { analyticsOperation } from '../../catalogue/operations/analytics.ts';
import { curveOperation } from '../../catalogue/operations/curve.ts';
import type { QuoteSelection, ReadResult, StoreReader } from '../../store/open-store.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import type { RequestedTable } from './encode-page.ts';
import { createQuoteSource } from './quote-source.ts';
import { createAnalyticsReader } from './read-analytics.ts';
import { type CurveSelection, createCurveReader } from './read-curves.ts';

/** Figures that are computed from the quotes of a dataset. */
export type FigureJob = CurveJob | AnalyticsJob;

interface CurveJob extends RequestedTable {
  readonly curve: CurveSelection;
}

interface AnalyticsJob extends RequestedTable {
  /** The quotes whose figures are computed. */
  readonly analytics: Omit<QuoteSelection, 'dataset'>;
}

/** Figures as records of their operation. */
interface Figures {
  readonly source: RecordSource;
  readonly result: ReadResult;
}

export function createFigureReader(reader: StoreReader) {
  const quoteSource = createQuoteSource(reader);
  const readCurves = createCurveReader(reader, quoteSource);
  const readAnalytics = createAnalyticsReader(reader, quoteSource);
  return async (job: FigureJob, dataset: Dataset, signal: AbortSignal): Promise<Figures> => {
    const isCurve = 'curve' in job;
    const { texts, ...result } = isCurve
      ? await readCurves(dataset, job.curve, signal)
      : await readAnalytics({ ...job.analytics, dataset }, signal);
    const records = texts.join(job.format === 'json' ? ',' : '\n');
    return {
      source: isCurve ? curveOperation : analyticsOperation,
      result: { ...result, count: texts.length, records },
    };
  };
}
