import type { RecordStream } from './fetch-pages.ts';
import type {
  CorrectionsParameters,
  CorrectionsRecord,
  DatasetName,
  Operations,
} from './generated.ts';
import type { CallOptions } from './options.ts';
import type { PagedOperation } from './paged-operation.ts';
import type { TenorResponse } from './response-meta.ts';

type Data<N extends DatasetName> = Operations[N]['data'];
type RecordOf<N extends DatasetName> = Data<N> extends readonly (infer T)[] ? T : Data<N>;

/** A record of a dataset that stood, and what took its place: nothing where it was retired. */
export interface Correction<N extends DatasetName = DatasetName>
  extends Omit<CorrectionsRecord, 'old' | 'new'> {
  readonly old: RecordOf<N>;
  readonly new: RecordOf<N> | null;
}

/** The corrections of any dataset: a listing of each, with the name of the dataset before all. */
export interface Corrections {
  /** One answer: as many as `limit` allows. `meta.next` tells whether there are more. */
  <N extends DatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): Promise<TenorResponse<readonly Correction<N>[]>>;
  /** Every answer until nothing that matches is left. `limit` is of each. */
  pages<N extends DatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): AsyncGenerator<TenorResponse<readonly Correction<N>[]>, void, undefined>;
  /** Every correction that matches, whatever number of answers that takes. */
  all<N extends DatasetName>(
    dataset: N,
    parameters?: CorrectionsParameters,
    options?: CallOptions,
  ): RecordStream<Correction<N>>;
}

/** The corrections of any dataset, by the listing of one. */
export function createCorrections(
  listingOf: (dataset: DatasetName) => PagedOperation<CorrectionsRecord, CorrectionsParameters>,
): Corrections {
  // Of one dataset, records are of its own type only.
  const of = <N extends DatasetName>(dataset: N) =>
    listingOf(dataset) as unknown as PagedOperation<Correction<N>, CorrectionsParameters>;
  type Asked = [parameters?: CorrectionsParameters, options?: CallOptions];
  return Object.assign(
    <N extends DatasetName>(dataset: N, ...asked: Asked) => of(dataset)(...asked),
    {
      pages: <N extends DatasetName>(dataset: N, ...asked: Asked) => of(dataset).pages(...asked),
      all: <N extends DatasetName>(dataset: N, ...asked: Asked) => of(dataset).all(...asked),
    },
  );
}
