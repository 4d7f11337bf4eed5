import type { Dataset } from '../../catalogue/model/dataset.ts';
import { HttpError } from '../../http/http-error.ts';
import { findFirstValue, type PageTarget, parseDataQuery } from '../../http/request/parse-query.ts';

/** A missing fund comes before any other error: the specification knows no exception to it. */
export function planFund(dataset: Dataset, { target, acceptedFormat }: PageTarget) {
  const id = findFirstValue(target.parameters, 'fund_id');
  if (!id) return new HttpError('no_fund_id');
  const selection = { kind: 'records', identifiers: [id] } as const;
  const values = parseDataQuery(target.parameters, dataset.parameters, acceptedFormat);
  const plan = { selection, getCursorScope: () => dataset.name };
  return values instanceof HttpError
    ? { ...plan, filters: {}, format: acceptedFormat, missing: { errorIfFound: values } }
    : { ...values, ...plan, missing: {} };
}
