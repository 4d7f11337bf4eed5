import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../../src/catalogue/index.ts';
import { createTools } from '../../../src/operations/mcp/tools/create-tools.ts';
import { createMessage, postMessage } from '../../support/mcp-client.ts';
import { createStore, fillStore, REPETITIONS } from '../../support/store.ts';
import { useTestServer } from '../../support/use-test-server.ts';

const service = useTestServer(async () => fillStore(await createStore()));

const tools = createTools(catalogue);

/** Values of arguments, among them those that are valid for some. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    '2026-04-07',
    '2026-04-08',
    'tbill',
    'quotes',
    'funds',
    '1Y,2Y',
    1,
    '\ud800',
  ),
  fc.constantFrom(...tools.flatMap(({ parameters }) => Object.values(parameters)).map(getExample)),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);

/** A call of a tool with some of its arguments, and now and then with one that it does not take. */
const anyCall = fc
  .constantFrom(...tools)
  .chain(({ name, parameters }) =>
    fc.record({
      name: fc.oneof(
        { weight: 19, arbitrary: fc.constant(name) },
        fc.constantFrom('none', '__proto__'),
      ),
      arguments: fc.dictionary(
        fc.oneof(
          { weight: 19, arbitrary: fc.constantFrom(...Object.keys(parameters)) },
          fc.constantFrom('__proto__', 'none'),
        ),
        anyValue,
        { maxKeys: 4 },
      ),
    }),
  )
  .map((params) => createMessage('tools/call', params));

const anyMessage = fc.oneof(
  { weight: 4, arbitrary: anyCall },
  { weight: 1, arbitrary: fc.jsonValue().map((body) => ({ body, headers: {} })) },
);

test('every message gets a result or an error of the protocol, and none fails', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyMessage, async ({ body, headers }) => {
      const response = await postMessage(service.address, JSON.stringify(body), headers);
      statuses.add(response.status);
      expect([200, 202, 400]).toContain(response.status);
      const text = await response.text();
      const { error } = text === '' ? {} : JSON.parse(text);
      // Anything else would be a mistake of ours.
      if (error) expect([-32600, -32602, -32700]).toContain(error.code);
    }),
    { numRuns: 150 * REPETITIONS },
  );
  expect(statuses).toContain(200);
});

function getExample({ example }: { readonly example: string }): unknown {
  return example;
}
