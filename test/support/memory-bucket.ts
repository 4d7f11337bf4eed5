/** A server with the operations of S3 that copies need, whose files are in memory. */
export function serveMemoryBucket(bucket: string) {
  const files = new Map<string, Uint8Array>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 2 ** 30,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const path = decodeURIComponent(pathname).slice(bucket.length + 2);
      const body = files.get(path);
      if (searchParams.has('list-type')) return list(searchParams);
      if (request.method === 'PUT') {
        files.set(path, await request.bytes());
        return new Response(null, { headers: { etag: '"1"' } });
      }
      if (request.method === 'DELETE') {
        files.delete(path);
        return new Response(null, { status: 204 });
      }
      if (body) return new Response(body);
      return new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 });
    },
  });
  /** In pages of two, so that a list takes several requests. */
  function list(query: URLSearchParams): Response {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
    const found = [...files.keys()].filter((key) => key.startsWith(prefix) && key > after);
    const keys = found.toSorted().slice(0, 2);
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    const isTruncated = `<IsTruncated>${found.length > keys.length}</IsTruncated>`;
    return new Response(`<ListBucketResult>${isTruncated}${contents}</ListBucketResult>`);
  }
  const env = {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: String(server.url),
  };
  return { files, env, stop: () => server.stop(true) };
}
