/** How many replies a second a server gives to one target, asked over 32 connections. */
export type Load = (url: string, token: string, seconds: number) => Promise<number>;

const CONNECTIONS = 32;

/** wrk where it is installed, else the client below: the name is part of the result. */
export const load: { name: string; run: Load } = Bun.which('wrk')
  ? { name: 'wrk', run: withWrk }
  : { name: "the bench's own client", run: withSockets };

async function withWrk(url: string, token: string, seconds: number): Promise<number> {
  const header = `Authorization: Bearer ${token}`;
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-H', header, url];
  const text = await new Response(Bun.spawn(['wrk', ...args]).stdout).text();
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors:.*/.exec(text);
  if (bad) throw new Error(`${url}: ${bad[0]}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
}

async function withSockets(url: string, token: string, seconds: number): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${hostname}`];
  const request = `${[...lines, `Authorization: Bearer ${token}`].join('\r\n')}\r\n\r\n`;
  const deadline = performance.now() + seconds * 1_000;
  let replies = 0;
  const connection = async () => {
    const done = Promise.withResolvers<void>();
    let missing = 0;
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(request),
        close: () => done.resolve(),
        error: (_, error) => done.reject(error),
        data(socket, bytes) {
          missing = missing > 0 ? missing - bytes.length : restOf(bytes);
          if (missing > 0) return;
          replies++;
          if (performance.now() < deadline) socket.write(request);
          else socket.end();
        },
      },
    });
    await done.promise;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return replies / seconds;
}

/** How many bytes of a reply are still to come after its first piece. */
function restOf(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  const text = bytes.toString('latin1', 0, head);
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 60));
  return head + Number(/content-length: (\d+)/i.exec(text)?.[1]) - bytes.length;
}
