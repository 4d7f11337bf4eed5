import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type { RevisionedList, SecurityTermsEntry } from '../reader.ts';
import { readDatasetStates } from './dataset-states.ts';
import type { Dialect } from './dialect.ts';
import type { QuerySteps } from './query-steps.ts';
import { readReferenceData } from './reference-data.ts';

/** The terms of all securities as of a revision, by symbol. */
export function* findSecurityTerms(
  asOf: number | undefined,
  dialect: Dialect,
): QuerySteps<RevisionedList<SecurityTermsEntry>> {
  const { revision, states } = yield* readDatasetStates(asOf, dialect);
  const records = yield* readReferenceData<SecurityRecord>(securities, states);
  const entries = records.map(
    ({
      symbol,
      couponRate,
      couponFrequency,
      pricing,
      issueDate,
      floating,
    }): SecurityTermsEntry => ({
      symbol: foldAsciiCase(symbol),
      couponRate,
      couponFrequency,
      pricing,
      issueDate,
      floating,
    }),
  );
  return { revision, entries };
}
