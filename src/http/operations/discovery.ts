import { ACCEPT_DATETIME } from '../../catalogue/accept-datetime.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { catalogueList, fundList, securityList } from '../../catalogue/discovery.ts';
import { declaredEntry } from '../../catalogue/entry.ts';
import { fundAllocation } from '../../catalogue/fund-allocation.ts';
import type { Operation } from '../../catalogue/operation.ts';
import { quotes } from '../../catalogue/quotes.ts';
import { keyFields } from '../../derive/key.ts';
import type { Coverage, Listing, Reader } from '../../store/index.ts';
import type { Holder } from '../../tokens/keyring.ts';
import type { Answer } from '../answers/answer.ts';
import { operationAnswer, refusalAnswer } from '../answers/answer.ts';
import { atInstant } from '../answers/at-instant.ts';
import { dataAnswer } from '../answers/data-answer.ts';
import { inItsTurn } from '../answers/read.ts';
import { remembered } from '../answers/remembered.ts';
import { isRefusal } from '../failures.ts';
import type { Service } from '../needs.ts';
import { isCountWanted, representationFor } from '../request/negotiate.ts';
import { readQuery } from '../request/query.ts';
import type { OperationRoute } from '../route.ts';

/** The operations that tell what there is: datasets, securities, funds. */
export function discoveryRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [
    catalogueRoute(catalogue),
    tableRoute(securityList, quotes, (reader, asOf) => reader.securities(quotes, asOf)),
    tableRoute(fundList, fundAllocation, (reader, asOf) => reader.funds(fundAllocation, asOf)),
  ];
}

function catalogueRoute(catalogue: readonly Dataset[]): OperationRoute {
  return routeOf(catalogueList(catalogue), ({ reader }, { scopes }) => {
    const datasets = catalogue.filter(({ scope }) => scopes.has(scope));
    return {
      key: datasets.map(({ name }) => name).join(),
      make: async (asOf) => catalogueAnswer(await reader.coverage(datasets, asOf)),
    };
  });
}

/** A list that is made from a dataset alone, and answers as that does. */
function tableRoute(
  operation: Operation,
  dataset: Dataset,
  list: (reader: Reader, asOf?: number) => Promise<Listing<object>>,
): OperationRoute {
  return routeOf(operation, (service, _, headers) => {
    const { reader, changed } = service;
    const form = representationFor(headers.get('accept'));
    const counted = isCountWanted(headers.get('prefer'));
    return {
      key: `${form}${counted ? ' counted' : ''}`,
      make: (asOf) =>
        inItsTurn(service, form, async () => {
          const { revision, entries } = await list(reader, asOf);
          const count = entries.length;
          const texts = entries.map((entry) => JSON.stringify(entry));
          const records = texts.join(form === 'json' ? ',' : '\n');
          const reading = { revision, count, records, ...(counted && { total: count }) };
          const modified = await changed(dataset.name, revision);
          return dataAnswer({ origin: operation, reading, form, modified, links: undefined });
        }),
    };
  });
}

/** What a request wants of an operation. */
interface Wanted {
  /** Tells its answer from the others of the operation. */
  readonly key: string;
  /** Makes the answer; of the present where no revision is given. */
  readonly make: (asOf?: number) => Promise<Answer>;
}

function routeOf(
  operation: Operation,
  wantedOf: (service: Service, holder: Holder, headers: Headers) => Wanted,
): OperationRoute {
  const { path, parameters } = operation;
  return {
    path,
    operation,
    answer(service, holder, { query }, { headers }) {
      const values = readQuery(query, parameters);
      if (isRefusal(values)) return refusalAnswer(values);
      const { key, make } = wantedOf(service, holder, headers);
      // A key with a space in it is never taken for a target.
      const question = { target: path, key: `${path} ${key}` };
      const instant = headers.get(ACCEPT_DATETIME);
      if (instant !== null) return atInstant(service, question, instant, make);
      return remembered(service, question.key, make);
    },
  };
}

function catalogueAnswer({ revision, entries }: Listing<Coverage>): Answer {
  const answer = operationAnswer(JSON.stringify(entries.map(entryOf)), revision);
  answer.headers.append('Vary', ACCEPT_DATETIME);
  return answer;
}

function entryOf({ dataset, lastRevision, ...coverage }: Coverage): object {
  return { ...declaredEntry(dataset), key: keyFields(dataset), coverage, lastRevision };
}
