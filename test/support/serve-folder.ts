import { join } from 'node:path';

/** Serves the files of a folder as any web server does. */
export function serveFolder(
  folder: string,
  onRequest: (path: string) => void = () => {},
): Bun.Server<undefined> {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    async fetch({ url }) {
      const { pathname } = new URL(url);
      onRequest(pathname);
      const file = Bun.file(join(folder, pathname));
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
    },
  });
}
