import { formatAllowedNames } from '../../../catalogue/model/api-errors.ts';
import type { Parameter } from '../../../catalogue/model/parameter.ts';
import { type Tool, type ToolArguments, ToolError } from './tool.ts';

/** The arguments of a call, by the declarations of the tool. Throws a ToolError. */
export function parseArguments(
  { parameters }: Pick<Tool, 'parameters'>,
  values: Readonly<Record<string, unknown>>,
): ToolArguments {
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(parameters, name)) continue;
    const allowed = formatAllowedNames(Object.keys(parameters));
    throw new ToolError(`unknown argument "${name.slice(0, MAX_NAME_CHARACTERS)}"; ${allowed}`);
  }
  const texts: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (values[name] !== undefined) texts[name] = parseArgument(name, parameter, values[name]);
    else if (parameter.isRequired)
      throw new ToolError(`argument "${name}" is missing; it must be ${parameter.requirement}`);
  }
  return texts;
}

const MAX_NAME_CHARACTERS = 60;

/** Models write the number of a revision as a number, and a limit as a text. */
function parseArgument(
  name: string,
  { requirement, parse, explain }: Parameter,
  value: unknown,
): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '')
    throw new ToolError(`argument "${name}" must be ${requirement}`);
  // Half of a pair of surrogates cannot be written in an address.
  if (text.includes('\0') || !text.isWellFormed() || parse(text) === undefined) {
    const problem = explain?.(text);
    const suffix = problem === undefined ? '' : `; ${problem}`;
    throw new ToolError(`argument "${name}" must be ${requirement}${suffix}`);
  }
  return text;
}
