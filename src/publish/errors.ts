import type { Dataset } from '../catalogue/model/dataset.ts';
import type { FieldProblem } from '../schema/validate-record.ts';
import type { LocatedProblem } from './load/file-problems.ts';
import type { LoadReport } from './load/load-report.ts';

/** A change to the published data that cannot be made; the message says why and what to do. */
export class PublishError extends Error {}

/** A change stopped by a guard, with its stable name: only a person can confirm that it is intended. */
export class GuardError extends PublishError {
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(`nothing was published: ${message}`);
  }
}

/** Files with invalid records, of which nothing is published. */
export class LoadValidationError extends Error {
  constructor(
    /** The first problems; empty if warnings reject a strict load. */
    readonly problems: readonly LocatedProblem[],
    readonly count: number,
    readonly report: LoadReport,
    /** The guard that stops the records; undefined if any of them is invalid. */
    readonly guard?: string,
  ) {
    super(`${count} ${count === 1 ? 'problem' : 'problems'}`);
  }
}

/** A problem, and the number of its record: 1 for the first. */
export interface RecordProblem extends FieldProblem {
  readonly record: number;
}

/** Invalid records from a program, which keep all accompanying records from being published. */
export class RecordValidationError extends Error {
  constructor(
    dataset: Dataset,
    readonly problems: readonly RecordProblem[],
    readonly count: number,
  ) {
    const [first] = problems;
    const location = first && `record ${first.record}, ${first.field}: must be ${first.rule}`;
    super(`${dataset.name}: ${count} problems; the first: ${location}`);
  }
}
