import { ACCEPT_DATETIME } from '../catalogue/accept-datetime.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { catalogueList, fundList, securityList } from '../catalogue/discovery.ts';
import { declaredEntry } from '../catalogue/entry.ts';
import { fundAllocation } from '../catalogue/fund-allocation.ts';
import type { Operation } from '../catalogue/operation.ts';
import { quotes } from '../catalogue/quotes.ts';
import { keyFields } from '../derive/key.ts';
import type { Coverage, Listing, Reader } from '../store/index.ts';
import type { Holder } from '../tokens/keyring.ts';
import type { Answer } from './answer.ts';
import { operationAnswer, refusalAnswer } from './answer.ts';
import { atInstant } from './at-instant.ts';
import { isRefusal } from './failures.ts';
import type { OperationRoute } from './handle.ts';
import { readQuery } from './query.ts';
import { remembered } from './remembered.ts';

/** The operations that tell what there is: datasets, securities, funds. */
export function discoveryRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [
    routeOf(catalogueList(catalogue), {
      tells: ({ scopes }) => catalogue.filter(({ scope }) => scopes.has(scope)),
      list: catalogueIn,
    }),
    routeOf(securityList, {
      tells: () => [quotes],
      list: (reader, _, asOf) => reader.securities(quotes, asOf),
    }),
    routeOf(fundList, {
      tells: () => [fundAllocation],
      list: (reader, _, asOf) => reader.funds(fundAllocation, asOf),
    }),
  ];
}

interface Discovery {
  /** The datasets that a token is told of. */
  readonly tells: (holder: Holder) => readonly Dataset[];
  /** What is told of them; of the present where no revision is given. */
  readonly list: (
    reader: Reader,
    datasets: readonly Dataset[],
    asOf?: number,
  ) => Promise<Listing<object>>;
}

function routeOf(operation: Operation, { tells, list }: Discovery): OperationRoute {
  const { path, parameters } = operation;
  return {
    path,
    operation,
    answer(service, holder, { query }, request) {
      const values = readQuery(query, parameters);
      if (isRefusal(values)) return refusalAnswer(values);
      const datasets = tells(holder);
      // A key with a space in it is never taken for a target.
      const question = { target: path, key: `${path} ${datasets.map(({ name }) => name).join()}` };
      const make = (asOf?: number) => list(service.reader, datasets, asOf).then(answerOf);
      const instant = request.headers.get(ACCEPT_DATETIME);
      if (instant !== null) return atInstant(service, question, instant, make);
      return remembered(service, question.key, make);
    },
  };
}

function answerOf({ revision, entries }: Listing<object>): Answer {
  const answer = operationAnswer(JSON.stringify(entries), revision);
  answer.headers.append('Vary', ACCEPT_DATETIME);
  return answer;
}

async function catalogueIn(
  reader: Reader,
  datasets: readonly Dataset[],
  asOf?: number,
): Promise<Listing<object>> {
  const { revision, entries } = await reader.coverage(datasets, asOf);
  return { revision, entries: entries.map(entryOf) };
}

function entryOf({ dataset, lastRevision, ...coverage }: Coverage): object {
  return { ...declaredEntry(dataset), key: keyFields(dataset), coverage, lastRevision };
}
