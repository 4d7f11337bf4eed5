import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { ledgerEntryOperation } from '../../../catalogue/operations/ledger.ts';
import { HttpError } from '../../http-error.ts';
import type { DataRoute, JsonResult, OperationQuery } from '../../pipeline/route.ts';
import { parseQuery } from '../../request/parse-query.ts';
import { matchPath } from '../../request/request-target.ts';
import { createScopeKey, listReadableDatasets } from '../catalogue/catalogue-routes.ts';

interface EntryQuery extends OperationQuery {
  readonly number: number;
  /** The datasets in the scopes of the token. */
  readonly readable: readonly string[];
}

/** The operation that gives what the log has a digest of, of all datasets that there ever were. */
export function createLedgerEntryRoute(
  datasets: readonly Dataset[],
): DataRoute<EntryQuery, JsonResult> {
  const operation = ledgerEntryOperation;
  return {
    path: operation.path,
    operation,
    isAlwaysCurrent: true,
    getScopeKey: createScopeKey(datasets),
    parse({ path, query, principal }) {
      const values = parseQuery(query, operation.parameters);
      if (values instanceof HttpError) return values;
      const number = matchPath(operation, path)?.n as number;
      return { number, readable: listReadableDatasets(datasets, principal) };
    },
    cost: () => 1,
    async read({ number, readable }, { reader }) {
      const revision = await reader.revision();
      const entry = number <= revision ? await reader.ledgerEntry(number) : undefined;
      if (!entry) return new HttpError('not_found');
      if (!readable.includes(entry.dataset)) return new HttpError('forbidden');
      const data = await reader.logEntry(number);
      return data === undefined ? new HttpError('no_log') : { revision, data, isFinal: true };
    },
  };
}
