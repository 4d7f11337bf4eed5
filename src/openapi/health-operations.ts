import { formatErrorMessage } from '../catalogue/model/api-errors.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import type { HealthOperation } from '../catalogue/operations/health.ts';
import { type ResponseHeaderName, responseHeaderRefs } from './headers.ts';
import { buildErrorResponse } from './responses.ts';

export const HEALTH_TAG = 'health';

/** An operation that anybody may request, without a token. */
export function buildHealthOperation(operation: HealthOperation): object {
  const { name, title, description, responses } = operation;
  return {
    operationId: name,
    summary: title,
    description,
    tags: [HEALTH_TAG],
    security: [],
    parameters: [],
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, { schema, example }]) => {
          const headers: ResponseHeaderName[] = ['X-Request-Id'];
          if (status === '503') headers.push('Retry-After');
          const examples = { body: { summary: title, value: example } };
          return [
            status,
            {
              description: status === '200' ? title : 'It cannot; the body says why',
              headers: responseHeaderRefs(headers),
              content: { [RESPONSE_FORMATS.json.mediaType]: { schema, examples } },
            },
          ];
        }),
      ),
      400: INVALID_HOST_RESPONSE,
    },
  };
}

const INVALID_HOST_RESPONSE = buildErrorResponse(
  ['bad_header'],
  [
    formatErrorMessage('bad_header', {
      header: 'Host',
      allowed: 'one host, with or without a port',
    }),
  ],
  [],
);
