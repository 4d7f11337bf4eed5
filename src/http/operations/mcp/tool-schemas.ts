import { type JsonSchema, schema } from '../../../catalogue/model/json-schema.ts';
import type { Parameter, Parameters } from '../../../catalogue/model/parameter.ts';
import type { Tool } from './tool.ts';

/** A tool as `tools/list` describes it. */
export function describeTool({ name, title, description, parameters, ...tool }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: buildInputSchema(parameters),
    outputSchema: buildOutputSchema(tool),
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

function buildInputSchema(parameters: Parameters) {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [name, argumentSchema(parameter)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Where the schema of a text says little, the requirement says what is valid. */
function argumentSchema({ schema, description, requirement }: Parameter): JsonSchema {
  const isExplicit = schema.type !== 'string' || 'enum' in schema || schema.minLength === 1;
  return { ...schema, description: isExplicit ? description : `${description}: ${requirement}` };
}

function buildOutputSchema({
  dataSchema,
  extraSchemas,
}: Pick<Tool, 'dataSchema' | 'extraSchemas'>) {
  const output = schema.object({
    revision: schema.integer('The revision of the data that this was read from'),
    units: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The unit of each field that has one',
    },
    truncated: { type: 'boolean', description: 'Whether there is more than this' },
    next: {
      type: ['object', 'null'],
      description: 'The arguments of the call that continues this one; null at the end',
    },
    address: schema.string('The URL of the records over HTTP, at that revision'),
    ...extraSchemas,
    data: dataSchema,
  });
  return { ...output, type: 'object' as const };
}
