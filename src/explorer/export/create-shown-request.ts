import type { ApiRequest } from '../api/types.ts';

/** The request for a table of quotes as shown, with its columns and order. */
export function createShownRequest(
  { path, parameters }: ApiRequest,
  columns: readonly { readonly name: string }[],
  sort = '',
  others: ApiRequest['parameters'] = {},
): ApiRequest {
  const fields = columns.map(({ name }) => name);
  const order = fields.includes(sort.replace('-', '')) ? sort : undefined;
  return { path, parameters: { ...parameters, ...others, fields: fields.join(), order } };
}
