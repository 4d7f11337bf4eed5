import type { ApiRequest } from './types.ts';

export { type AlignedRow, alignedColumn } from '../../client/aligned.ts';

/** Requests figures of several datasets in one table. */
export function createAlignedRequest(columns: readonly string[], range = {}): ApiRequest {
  const parameters = { columns: [...new Set(columns)].join(), ...range, limit: 10_000 };
  return { path: '/aligned', parameters };
}

/** Splits at commas that are not in parentheses. */
export function splitColumns(text: string): string[] {
  return text.match(/(?:\([^)]*\)|[^,])+/g) ?? [];
}
