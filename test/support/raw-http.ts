export interface SocketResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are and reads the reply to its end: what a client library would tidy up or
 * refuse to send reaches the server.
 */
export async function sendRaw(address: string, request: string): Promise<SocketResponse> {
  const { hostname, port } = new URL(address);
  let text = '';
  const closed = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        text += bytes.toString('utf8');
      },
      close: () => closed.resolve(),
      error: (_, error) => closed.reject(error),
    },
  });
  socket.write(request);
  await closed.promise;
  return parseResponse(text);
}

/** A GET of a raw target, with header lines. */
export function getRaw(
  address: string,
  target: string,
  ...lines: string[]
): Promise<SocketResponse> {
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines];
  return sendRaw(address, `${head.join('\r\n')}\r\n\r\n`);
}

function parseResponse(text: string): SocketResponse {
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, split).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers),
    body: text.slice(split + 4),
  };
}
