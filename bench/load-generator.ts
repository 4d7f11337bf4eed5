import { join } from 'node:path';
import { FOLDER } from './million-quotes.ts';

/** What is asked: targets of one server in turn, with headers. */
export interface Asked {
  readonly address: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** How many replies a second a server gives, asked over 32 connections. */
export type Load = (asked: Asked, seconds: number) => Promise<number>;

const CONNECTIONS = 32;

/** wrk where it is installed, else the client below: the name is part of the result. */
export const load: { name: string; run: Load } = Bun.which('wrk')
  ? { name: 'wrk', run: withWrk }
  : { name: "the bench's own client", run: withSockets };

async function withWrk({ address, targets, headers }: Asked, seconds: number): Promise<number> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const [first] = targets;
  const script = targets.length > 1 ? ['-s', await scriptOf(targets)] : [];
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...named, ...script];
  const text = await new Response(Bun.spawn(['wrk', ...args, `${address}${first}`]).stdout).text();
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors:.*/.exec(text);
  if (bad) throw new Error(`${address}${first}: ${bad[0]}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
}

/** A script that makes wrk ask for targets in turn; their requests are written beforehand. */
async function scriptOf(targets: readonly string[]): Promise<string> {
  const path = join(FOLDER, 'targets.lua');
  const lines = [
    'local asked, turn = {}, 0',
    'function init()',
    `  for target in string.gmatch('${targets.join(' ')}', '%S+') do`,
    '    asked[#asked + 1] = wrk.format(nil, target)',
    '  end',
    'end',
    'function request() turn = turn % #asked + 1; return asked[turn] end',
  ];
  await Bun.write(path, lines.join('\n'));
  return path;
}

async function withSockets({ address, targets, headers }: Asked, seconds: number): Promise<number> {
  const { hostname, port } = new URL(address);
  const lines = Object.entries({ Host: hostname, ...headers }).map(([name, value]) => {
    return `${name}: ${value}\r\n`;
  });
  const next = () => `GET ${targets[replies % targets.length]} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const deadline = performance.now() + seconds * 1_000;
  let replies = 0;
  const connection = async () => {
    const done = Promise.withResolvers<void>();
    let missing = 0;
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(next()),
        close: () => done.resolve(),
        error: (_, error) => done.reject(error),
        data(socket, bytes) {
          missing = missing > 0 ? missing - bytes.length : restOf(bytes);
          if (missing > 0) return;
          replies++;
          if (performance.now() < deadline) socket.write(next());
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
