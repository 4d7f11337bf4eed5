import { join } from 'node:path';
import { FOLDER } from './million-quotes.ts';

/** Requests to one server, which cycle through the targets. */
export interface RequestLoad {
  readonly address: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** 32 if not given. */
  readonly connections?: number;
  /** The body that each request posts; they are GET if it is not given. */
  readonly body?: string;
}

/** Measures responses per second. */
export type RunLoad = (requests: RequestLoad, seconds: number) => Promise<number>;

const DEFAULT_CONNECTIONS = 32;
const TIMEOUT_SECONDS = 30;

/** wrk if it is installed, else the client below; the name is part of the result. */
export const loadGenerator: { name: string; run: RunLoad } = Bun.which('wrk')
  ? { name: 'wrk', run: runWrk }
  : { name: "the bench's own client", run: runSockets };

async function runWrk(
  { address, targets, headers, connections = DEFAULT_CONNECTIONS, body }: RequestLoad,
  seconds: number,
): Promise<number> {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const [first] = targets;
  const needsScript = targets.length > 1 || body !== undefined;
  const script = needsScript ? ['-s', await writeWrkScript(targets, body)] : [];
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, `--timeout=${TIMEOUT_SECONDS}s`];
  const args = [...options, ...headerArgs, ...script];
  const text = await new Response(Bun.spawn(['wrk', ...args, `${address}${first}`]).stdout).text();
  const errors = /Non-2xx or 3xx responses: (\d+)|Socket errors:.*/.exec(text);
  if (errors) throw new Error(`${address}${first}: ${errors[0]}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
}

/** Writes a script that makes wrk cycle through the targets. */
async function writeWrkScript(targets: readonly string[], body?: string): Promise<string> {
  const path = join(FOLDER, 'targets.lua');
  const lines = [
    ...(body === undefined ? [] : ["wrk.method = 'POST'", `wrk.body = [==[${body}]==]`]),
    'local requests, index = {}, 0',
    'function init()',
    `  for target in string.gmatch('${targets.join(' ')}', '%S+') do`,
    '    requests[#requests + 1] = wrk.format(nil, target)',
    '  end',
    'end',
    'function request() index = index % #requests + 1; return requests[index] end',
  ];
  await Bun.write(path, lines.join('\n'));
  return path;
}

/** Exported for its test. */
export async function runSockets(
  { address, targets, headers, connections = DEFAULT_CONNECTIONS, body }: RequestLoad,
  seconds: number,
): Promise<number> {
  const { hostname, port } = new URL(address);
  const length = body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: hostname, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const method = body === undefined ? 'GET' : 'POST';
  const rest = ` HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
  const nextRequest = () => `${method} ${targets[responses % targets.length]}${rest}`;
  const deadline = performance.now() + seconds * 1_000;
  let responses = 0;
  const connection = async () => {
    const done = Promise.withResolvers<void>();
    let missingBytes = 0;
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(nextRequest()),
        close: () => done.resolve(),
        error: (_, error) => done.reject(error),
        data(socket, bytes) {
          missingBytes = missingBytes > 0 ? missingBytes - bytes.length : countMissingBytes(bytes);
          if (missingBytes > 0) return;
          responses++;
          if (performance.now() < deadline) socket.write(nextRequest());
          else socket.end();
        },
      },
    });
    await done.promise;
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return responses / seconds;
}

/** The remaining bytes of a response after its first chunk. */
function countMissingBytes(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  const text = bytes.toString('latin1', 0, head);
  if (text.startsWith('HTTP/1.1 304')) return 0;
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 60));
  return head + Number(/content-length: (\d+)/i.exec(text)?.[1]) - bytes.length;
}
