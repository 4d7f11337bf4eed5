import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import type { Parameters } from '../../src/catalogue/model/parameter.ts';
import { listOperations } from '../../src/openapi/document.ts';
import { readFixture } from './fixtures.ts';

/** An operation, or one of a dataset, with a target that it answers from the fixtures. */
export type OperationTarget = Pick<Operation, 'path' | 'scope' | 'parameters' | 'isOpen'> &
  Pick<Operation, 'isEventStream'> & { readonly target: string };

const [fund] = readFixture(fundAllocation) as [{ fund_id: string }];
const KNOWN_VALUES: Readonly<Record<string, string>> = { fund_id: fund.fund_id };

/** Every operation of the program; a target has examples of what it requires. */
export function listOperationTargets(): OperationTarget[] {
  const all = listOperations(catalogue);
  // Some datasets are read by an operation of another name.
  const own = catalogue.filter(({ paths: [path] }) => !all.some((each) => each.path === path));
  const ofDatasets = own.map(({ paths: [path], scope, parameters }) => ({
    path,
    scope,
    parameters,
    target: formatTarget(path, parameters),
  }));
  const operations = all.map((operation) => ({
    ...operation,
    target: toTarget(operation),
  }));
  return [...ofDatasets, ...operations];
}

function toTarget({ path, pathParameters = {}, parameters }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => pathParameters[name]?.example ?? '');
  return formatTarget(filled, parameters);
}

function formatTarget(path: string, parameters: Parameters): string {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  const pairs = required.map(
    (name) => `${name}=${KNOWN_VALUES[name] ?? parameters[name]?.example}`,
  );
  return `${path}?${pairs.join('&')}`;
}
