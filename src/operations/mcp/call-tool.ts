import { formatAllowedNames, formatErrorMessage } from '../../catalogue/model/api-errors.ts';
import { formatTarget } from '../../catalogue/model/format-target.ts';
import type { Parameter } from '../../catalogue/model/parameter.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import type { RespondToTarget } from '../../http/pipeline/route.ts';
import {
  formatResult,
  type GetTarget,
  isSendable,
  type TargetResult,
  type Tool,
  type ToolArguments,
  ToolError,
} from './tool.ts';

/** A message on its way to a response. */
export interface ToolCall {
  readonly exchange: Exchange;
  readonly respondToTarget: RespondToTarget;
  /** Scheme, host and port that the message was sent to. */
  readonly origin: string;
  /** The revision that was read last; null before. */
  revision: number | null;
  /** An error that the client is not to read. */
  failure?: unknown;
}

/** Calls a tool. What is wrong with the arguments is a result, which the model can read. */
export async function callTool(
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  call: ToolCall,
) {
  try {
    return formatResult(await tool.call(parseArguments(tool, values), createGetTarget(call)));
  } catch (cause) {
    if (!(cause instanceof ToolError)) {
      call.failure = cause;
      throw cause;
    }
    return { content: [{ type: 'text' as const, text: cause.message }], isError: true };
  }
}

/** The first target is what the message costs anyway. */
function createGetTarget(call: ToolCall): GetTarget {
  let count = 0;
  return async (path, query) => {
    if (count++ > 0) call.exchange.charge(1);
    const target = formatTarget(path, query);
    const response = await call.respondToTarget(target);
    if (response.status === 403)
      throw new ToolError(`forbidden: this token lacks the scope that ${path} needs`);
    const { body: sent } = response;
    const text = sent instanceof Blob ? await sent.text() : (sent ?? '');
    const body = JSON.parse(text) as { status: string; message: string; data: unknown };
    if (body.status !== 'ok') throw new ToolError(explainError(body.message));
    const revision = response.revision ?? 0;
    call.revision = revision;
    return {
      data: body.data,
      bytes: text.length,
      revision,
      cursor: NEXT_CURSOR.exec(response.headers.get('Link') ?? '')?.[1],
      address: `${call.origin}${formatTarget(path, pinRevision(path, query, revision))}`,
    } satisfies TargetResult;
  };
}

/** HTTP's own words for an unknown fund do not say what to do. */
function explainError(message: string): string {
  return message === NO_RECORD_FOUND ? `${message}: find_funds lists the funds` : message;
}

const NO_RECORD_FOUND = formatErrorMessage('no_record_found');

const NEXT_CURSOR = /[?&]cursor=([^>&]+)[^>]*>; rel="next"/;

type Query = Parameters<GetTarget>[1];

/** The list of revisions takes no as-of; there is no revision before the first. */
function pinRevision(path: string, query: Query, revision: number): Query {
  return path === '/revisions' || revision === 0 ? query : { ...query, as_of: String(revision) };
}

/** The arguments of a call, by the declarations of the tool. Throws a ToolError. */
function parseArguments(
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
function parseArgument(name: string, parameter: Parameter, value: unknown): string {
  const { requirement, schema, parse, explain, isExplainedFirst } = parameter;
  const isScalar = typeof value === 'string' || typeof value === 'number';
  const text = schema.type === 'object' && !isScalar ? JSON.stringify(value) : value;
  const sent = typeof text === 'number' ? String(text) : text;
  if (isSendable(sent) && parse(sent) !== undefined) return sent;
  const problem = typeof sent === 'string' && sent !== '' ? explain?.(sent) : undefined;
  if (problem !== undefined && isExplainedFirst)
    throw new ToolError(`argument "${name}" cannot be used: ${problem}; it must be ${requirement}`);
  const suffix = problem === undefined ? '' : `; ${problem}`;
  throw new ToolError(`argument "${name}" must be ${requirement}${suffix}`);
}
