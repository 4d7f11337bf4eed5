import type { ApiRequest } from '../api/types.ts';

/** The request of a table of quotes as it is shown: its columns and its order, by the service. */
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
