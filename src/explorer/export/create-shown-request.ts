import type { ApiRequest } from '../api/types.ts';

interface ShownColumn {
  readonly name: string;
  /** The field of the service's tables, if it is called otherwise there. */
  readonly field?: string | undefined;
}

/** The request of a table of quotes as it is shown: its columns and its order, by the service. */
export function createShownRequest(
  { path, parameters }: ApiRequest,
  columns: readonly ShownColumn[],
  sort = '',
  others: ApiRequest['parameters'] = {},
): ApiRequest {
  const getField = ({ name, field = name }: ShownColumn) => field;
  const sorted = columns.find(({ name }) => name === sort.replace('-', ''));
  const order = sorted && `${sort.startsWith('-') ? '-' : ''}${getField(sorted)}`;
  return {
    path,
    parameters: { ...parameters, ...others, fields: columns.map(getField).join(), order },
  };
}
