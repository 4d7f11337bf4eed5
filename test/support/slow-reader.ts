import { connect } from 'node:net';

/** Sends a request, pauses at the first bytes of the response, and reads the rest on demand. */
export function createSlowReader(address: string, target: string, token: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const hasStarted = new Promise<void>((resolve) => {
    socket.once('data', () => resolve(void socket.pause()));
  });
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const ended = new Promise<string>((resolve, reject) => {
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', reject);
  });
  ended.catch(() => {});
  const readRest = () => {
    socket.resume();
    return ended;
  };
  return { hasStarted, readRest };
}
