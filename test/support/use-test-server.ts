import { afterAll, beforeAll } from 'bun:test';
import { issueToken } from '../../src/tokens/issue-token.ts';
import type { TestStore } from './store.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** A server for all tests of a file or a `describe`. */
export function useTestServer(
  createStore: () => Promise<TestStore>,
  options?: TestServerOptions,
): TestServer {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(await createStore(), options);
  });
  afterAll(() => server.stop());
  return new Proxy({} as TestServer, { get: (_, name: keyof TestServer) => server[name] });
}

/** Issues a token with these scopes, and returns its secret. */
export async function issueSecret(
  store: TestStore,
  scopes: readonly string[],
  terms: { readonly rate?: string | null; readonly expiresAt?: string | null } = {},
): Promise<string> {
  const tokens = store.tokens();
  const name = scopes.join(' ');
  const { secret } = await issueToken(tokens, {
    name,
    scopes,
    rate: null,
    expiresAt: null,
    ...terms,
  });
  tokens.close();
  return secret;
}
