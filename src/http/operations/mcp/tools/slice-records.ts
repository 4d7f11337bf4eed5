import { type Parameter, revisionParameter } from '../../../../catalogue/model/parameter.ts';
import type { ToolArguments, ToolResult } from '../tool.ts';

/** How many of the newest records are left out, for tools whose operation has no pages. */
export const offsetParameter = (items: string): Parameter<number> => ({
  ...revisionParameter(`How many of the newest ${items} to leave out`),
  requirement: 'a whole number from 0, in plain digits',
  example: '0',
});

/** Where the records that a call asks for begin and end, and the arguments of the next call. */
export function sliceRecords(
  values: ToolArguments,
  { count, revision, defaultLimit }: SliceOptions,
): { start: number; end: number; next: ToolResult['next'] } {
  const limit = Number(values.limit ?? defaultLimit);
  const start = Number(values.offset ?? 0);
  const end = start + limit;
  // The next call reads the same revision, in which the records have the same positions.
  const next = end < count ? { ...values, limit, offset: end, as_of: String(revision) } : null;
  return { start, end, next };
}

interface SliceOptions {
  readonly count: number;
  readonly revision: number;
  readonly defaultLimit: number;
}
