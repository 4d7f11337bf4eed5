import { memoizeByIdentity } from '../shared/memoize.ts';
import type { StoreReader } from '../store/open-store.ts';
import { AlignedTableReader } from './aligned/table-reader.ts';
import { AnalyticsReader } from './analytics-reader.ts';
import { CurveReader } from './curve-reader.ts';
import { QuoteSource } from './quote-source.ts';

/** What figures are computed with, one for each store reader: they share terms and fits. */
const getReaders = memoizeByIdentity((reader: StoreReader) => {
  const source = new QuoteSource(reader);
  const curves = new CurveReader(reader, source);
  return {
    curves,
    analytics: new AnalyticsReader(reader, source, curves),
    aligned: new AlignedTableReader(reader, curves),
  };
});

export const getCurveReader = (reader: StoreReader) => getReaders(reader).curves;
export const getAnalyticsReader = (reader: StoreReader) => getReaders(reader).analytics;
export const getAlignedTableReader = (reader: StoreReader) => getReaders(reader).aligned;
