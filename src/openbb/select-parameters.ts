import type { Parameters } from '../catalogue/model/parameter.ts';

/** Workspace shows one page of JSON with every field, in the order that the service gives it. */
const UNUSED_PARAMETERS = ['cursor', 'format', 'fields', 'sort'];

/** The parameters of an operation that make sense for a widget. */
export function selectParameters(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !UNUSED_PARAMETERS.includes(name)),
  );
}
