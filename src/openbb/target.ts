import type { Parameters } from '../catalogue/model/parameter.ts';
import type { ParameterTexts } from './widget.ts';

/** A path with these parameters. */
export function formatTarget(path: string, texts: ParameterTexts): string {
  const query = new URLSearchParams(texts).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Workspace shows one page of JSON with every field, in the order that the service gives it. */
const UNUSED_PARAMETERS = ['cursor', 'format', 'fields', 'sort'];

/** The parameters of an operation that make sense for a widget. */
export function selectParameters(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !UNUSED_PARAMETERS.includes(name)),
  );
}
