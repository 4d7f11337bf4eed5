import { toLogResponse } from '../../src/client/create-open-path.ts';
import { openUpstream, type Upstream } from '../../src/follow/open-upstream.ts';
import { type TestServer, TOKEN } from './test-server.ts';

/** A source whose responses are altered. */
export function alterSource(
  server: TestServer,
  alter: (path: string, response: Response) => Promise<Response>,
): Upstream {
  const source = openUpstream(server.address, TOKEN);
  return {
    async open() {
      const { open, since } = await source.open();
      return {
        since,
        open: async (path, type) => toLogResponse(await alter(path, await open(path, type))),
      };
    },
  };
}

/** A source that goes away after some revisions. */
export function limitSource(server: TestServer, count: number): Upstream {
  return alterSource(server, async (path, response) => {
    if (path === `/ledger/entries/${count + 1}`) throw new Error('killed');
    return response;
  });
}
