import type { ProxiedConnection } from './tcp-proxy.ts';
import { startProxy } from './tcp-proxy.ts';

/** A PostgreSQL proxy that cuts the connection of a load at a chosen request. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the next load at its n-th request or commit: before the server gets it, or its response. */
  cutAt(request: number | 'COMMIT', when: 'before' | 'after'): void;
  /** How many requests the last load has made. */
  readonly requests: number;
  /** The statement at which it was cut, if it was. */
  readonly cut: string | undefined;
  /** Later statements on other connections, except heartbeats. */
  readonly afterwards: readonly string[];
  stop(): void;
}

/** A connection, and what was read of it. */
interface ObservedConnection extends ProxiedConnection {
  unread: Uint8Array;
  isStarted: boolean;
  isLoad: boolean;
  statement: string;
}

/** Starts a proxy of a local PostgreSQL server. A load is a connection that begins a transaction. */
export function startCuttingProxy(serverPort: number): CuttingProxy {
  let plan: { request: number | 'COMMIT'; when: 'before' | 'after' } | undefined;
  let requests = 0;
  let cut: string | undefined;
  let afterwards: string[] = [];

  /** Reads a message of a client; false if it is not to be forwarded. */
  const see = (line: ObservedConnection, type: string, text: string): boolean => {
    if (type === 'P' || type === 'Q') {
      line.statement = text;
      if (cut === undefined && /^BEGIN\b/.test(text)) line.isLoad = true;
      if (cut !== undefined && !text.includes('pg_is_in_recovery')) afterwards.push(text);
    }
    if (type !== 'S' && type !== 'Q') return true;
    if (!line.isLoad || ![++requests, line.statement].includes(plan?.request ?? 0)) return true;
    cut = line.statement;
    if (plan?.when === 'before') line.end();
    return plan?.when === 'after';
  };
  const fromClient = (line: ObservedConnection, data: Uint8Array) => {
    const { messages, rest } = splitMessages(Buffer.concat([line.unread, data]), line);
    line.unread = rest;
    for (const { type, text, bytes } of messages) {
      if (!see(line, type, text)) return;
      line.toServer(bytes);
    }
  };
  const fromServer = (line: ObservedConnection, data: Uint8Array) => {
    // The server has executed the request, but its response is lost.
    if (line.isLoad && cut !== undefined) line.end();
    else line.toClient(data);
  };
  const listener = startProxy(serverPort, (line) => {
    const nothing = { unread: new Uint8Array(), isStarted: false, isLoad: false, statement: '' };
    const seen: ObservedConnection = { ...line, ...nothing };
    return {
      fromClient: (data) => fromClient(seen, data),
      fromServer: (data) => fromServer(seen, data),
      serverClosed: line.end,
    };
  });
  return {
    port: listener.port,
    cutAt(request, when) {
      plan = { request, when };
      requests = 0;
      cut = undefined;
      afterwards = [];
    },
    get requests() {
      return requests;
    },
    get cut() {
      return cut;
    },
    get afterwards() {
      return afterwards;
    },
    stop: () => listener.stop(true),
  };
}

interface Message {
  readonly type: string;
  /** The text of its statement, where it has one. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** The complete messages that a client has sent. The first has no type. */
function splitMessages(
  data: Buffer,
  line: ObservedConnection,
): { messages: Message[]; rest: Uint8Array } {
  const messages: Message[] = [];
  let offset = 0;
  for (;;) {
    const head = line.isStarted ? 1 : 0;
    if (data.length < offset + head + 4) break;
    const length = head + data.readUInt32BE(offset + head);
    if (data.length < offset + length) break;
    const type = head ? String.fromCharCode(data[offset] as number) : '';
    messages.push({
      type,
      text: readStatement(type, data.subarray(offset + 5, offset + length)),
      bytes: data.subarray(offset, offset + length),
    });
    line.isStarted = true;
    offset += length;
  }
  return { messages, rest: data.subarray(offset) };
}

function readStatement(type: string, body: Buffer): string {
  const texts = body.toString('latin1').split('\0');
  if (type === 'Q') return texts[0] ?? '';
  return type === 'P' ? (texts[1] ?? '') : '';
}
