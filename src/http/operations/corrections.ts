import { ACCEPT_DATETIME } from '../../catalogue/accept-datetime.ts';
import { correctionList, correctionParameters } from '../../catalogue/corrections.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { ValuesOf } from '../../catalogue/parameter.ts';
import { LEDGER_LIMIT } from '../../catalogue/revisions.ts';
import type { Correction, Listing, WhichCorrections } from '../../store/index.ts';
import type { Answer } from '../answers/answer.ts';
import { FORBIDDEN, operationAnswer, refusalAnswer } from '../answers/answer.ts';
import { atInstant } from '../answers/at-instant.ts';
import { walkLinks } from '../answers/links.ts';
import { remembered } from '../answers/remembered.ts';
import type { Refusal } from '../failures.ts';
import { isRefusal, refuse } from '../failures.ts';
import { readQuery } from '../request/query.ts';
import { segmentsOf } from '../request/target.ts';
import type { OperationRoute } from '../route.ts';

/** The operation that tells what stood before. */
export function correctionRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = correctionList(catalogue);
  const route: OperationRoute = {
    path: operation.path,
    operation,
    answer(service, holder, { path, query }, { headers }) {
      const dataset = segmentsOf(operation, path)?.dataset as Dataset;
      if (!holder.scopes.has(dataset.scope)) return FORBIDDEN;
      const which = planned(dataset, query);
      if (isRefusal(which)) return refusalAnswer(which);
      const target = `${path}?${query}`;
      const make = async (asOf?: number) => {
        // One more than is wanted tells whether there is more.
        const wanted = { ...which, limit: which.limit + 1 };
        return answerOf(target, which, await service.reader.corrections(dataset, wanted, asOf));
      };
      const instant = headers.get(ACCEPT_DATETIME);
      if (instant === null) return remembered(service, target, make);
      const asked = { target: query === '' ? path : target, key: target };
      return atInstant(service, asked, instant, make);
    },
  };
  return [route];
}

type Values = ValuesOf<ReturnType<typeof correctionList>['parameters']>;

function planned(dataset: Dataset, query: string): WhichCorrections | Refusal {
  const values = readQuery(query, correctionParameters(dataset));
  if (isRefusal(values)) return values;
  const { symbol, fund_id, limit = LEDGER_LIMIT, ...rest }: Values = values;
  const { from, to } = rest;
  if (from !== undefined && to !== undefined && from > to) return refuse('reversed_range');
  return {
    ...rest,
    ...(symbol !== undefined && { security: symbol }),
    ...(fund_id !== undefined && { fund: fund_id }),
    limit,
  };
}

function answerOf(
  target: string,
  which: WhichCorrections,
  { revision, entries }: Listing<Correction>,
): Answer {
  const sent = entries.slice(0, which.limit);
  const links =
    entries.length > sent.length ? walkLinks(target, behind(sent, which, revision)) : undefined;
  const answer = operationAnswer(`[${sent.map(textOf).join()}]`, revision, links);
  answer.headers.append('Vary', ACCEPT_DATETIME);
  return answer;
}

/**
 * Where to go on behind corrections that were sent: within the last one's revision, behind those
 * of it that were sent. What revisions did never changes, so none is lost or told twice.
 */
function behind(
  sent: readonly Correction[],
  { before = Number.POSITIVE_INFINITY, skip = 0 }: WhichCorrections,
  newest: number,
): { before: number; skip: number } {
  const last = sent.at(-1)?.revision ?? 0;
  const first = sent.findIndex(({ revision }) => revision === last);
  if (first > 0 || skip === 0) return { before: last + 1, skip: sent.length - first };
  // Those that were left out may be of the same revision.
  return { before: Math.min(before, newest + 1), skip: skip + sent.length };
}

/** Records are embedded as they are stored. */
function textOf({ revision, publishedAt, change, old, new: replacement }: Correction): string {
  return `{"revision":${revision},"publishedAt":"${publishedAt}","change":"${change}","old":${old},"new":${replacement}}`;
}
