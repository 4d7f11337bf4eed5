import type { Dataset } from '../../catalogue/dataset.ts';
import type { ValuesOf } from '../../catalogue/parameter.ts';
import {
  LEDGER_LIMIT,
  oneRevision,
  revisionFields,
  revisionList,
} from '../../catalogue/revisions.ts';
import type { RecordChange, Revision } from '../../store/index.ts';
import type { Holder } from '../../tokens/keyring.ts';
import { FORBIDDEN, NOT_FOUND, operationAnswer, refusalAnswer } from '../answers/answer.ts';
import { walkLinks } from '../answers/links.ts';
import { remembered } from '../answers/remembered.ts';
import { isRefusal } from '../failures.ts';
import { readQuery } from '../request/query.ts';
import { segmentsOf } from '../request/target.ts';
import type { OperationRoute } from '../route.ts';

/** The operations that tell what was published. A token sees the datasets that it opens. */
export function ledgerRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  return [listRoute(catalogue), oneRoute(catalogue)];
}

function listRoute(catalogue: readonly Dataset[]): OperationRoute {
  const operation = revisionList(catalogue);
  type Values = ValuesOf<typeof operation.parameters>;
  return {
    path: operation.path,
    operation,
    answer(service, holder, { path, query }) {
      const values = readQuery(query, operation.parameters);
      if (isRefusal(values)) return refusalAnswer(values);
      const { dataset, before = Number.POSITIVE_INFINITY, limit = LEDGER_LIMIT }: Values = values;
      const open = opened(catalogue, holder);
      if (dataset !== undefined && !open.includes(dataset)) return FORBIDDEN;
      const datasets = dataset === undefined ? open : [dataset];
      return remembered(service, `/revisions?${query} ${datasets.join()}`, async () => {
        const newest = await service.reader.revision();
        // What is published while this is read is left to the next answer.
        const which = { datasets, before: Math.min(before, newest + 1), limit: limit + 1 };
        const found = await service.reader.revisions(which);
        const revisions = found.slice(0, limit);
        const last = found.length > limit ? revisions.at(-1) : undefined;
        const links = last && walkLinks(`${path}?${query}`, { before: last.revision });
        return operationAnswer(JSON.stringify(revisions.map(shown)), newest, links);
      });
    },
  };
}

function oneRoute(catalogue: readonly Dataset[]): OperationRoute {
  const operation = oneRevision(catalogue);
  type Values = ValuesOf<typeof operation.parameters>;
  return {
    path: operation.path,
    operation,
    answer(service, holder, { path, query }) {
      const values = readQuery(query, operation.parameters);
      if (isRefusal(values)) return refusalAnswer(values);
      const { limit = LEDGER_LIMIT }: Values = values;
      const n = Number(segmentsOf(operation, path)?.n);
      const open = opened(catalogue, holder);
      return remembered(service, `/revisions/${n} ${open.join()} ${limit}`, async () => {
        const newest = await service.reader.revision();
        const entry = n <= newest ? await service.reader.entry(n) : undefined;
        if (!entry) return NOT_FOUND;
        const dataset = catalogue.find(({ name }) => name === entry.dataset);
        if (!dataset || !open.includes(dataset.name)) return FORBIDDEN;
        const changes = await service.reader.changes(dataset, n, limit);
        const about = JSON.stringify({ ...shown(entry), report: entry.report }).slice(0, -1);
        return operationAnswer(`${about},"changes":[${changes.map(changeText).join()}]}`, newest);
      });
    },
  };
}

function opened(catalogue: readonly Dataset[], { scopes }: Holder): string[] {
  return catalogue.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);
}

const FIELDS = Object.keys(revisionFields) as (keyof typeof revisionFields)[];

/** A revision with its fields in the order of answers. */
function shown(revision: Revision): object {
  const files = revision.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return Object.fromEntries(FIELDS.map((f) => [f, f === 'files' ? files : revision[f]]));
}

/** Records are embedded as they are stored. */
function changeText({ change, old, new: replacement }: RecordChange): string {
  return `{"change":"${change}","old":${old},"new":${replacement}}`;
}
