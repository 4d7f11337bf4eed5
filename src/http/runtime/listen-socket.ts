import { dlopen, ptr } from 'bun:ffi';
import { closeSync, openSync, readdirSync } from 'node:fs';

/**
 * The socket that a server listens on. Bun accepts every connection and, once no file descriptor is
 * left, tries again without a pause; a kernel filter can hold connections back instead.
 */
export interface ListenSocket {
  /** The kernel ignores new connections from now on: their clients try again, every few seconds. */
  pause(): void;
  resume(): void;
  /** Closes the connections that wait to be accepted, of which there may be some after a pause. */
  closeWaiting(): void;
  /** How many connections are open; undefined where no descriptor is left to list them with. */
  countConnections(): number | undefined;
}

export interface FoundListenSocket extends ListenSocket {
  readonly descriptor: number;
  /** Ends listening, but no connection, for good; stopping Bun's server would end both. */
  release(): void;
}

/**
 * The listening socket of this process on a port, other than a given one; undefined where the
 * system is not Linux.
 */
export function findListenSocket(port: number, otherThan?: number): FoundListenSocket | undefined {
  const libc = loadLibc();
  const hasPort = (candidate: number) => libc !== null && getLocalPort(libc, candidate) === port;
  const descriptor = listDescriptors()?.find(
    (candidate) =>
      libc && candidate !== otherThan && isListening(libc, candidate) && hasPort(candidate),
  );
  if (!libc || descriptor === undefined) return undefined;
  reserveDescriptor();
  const filter = createFilter();
  return {
    pause: () => void libc.setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, ...filter),
    resume: () => void libc.setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, NO_OPTION, 4),
    closeWaiting() {
      releaseDescriptor();
      for (;;) {
        const connection = libc.accept(descriptor, null, null);
        if (connection < 0) break;
        closeSync(connection);
      }
      reserveDescriptor();
    },
    release() {
      // Bun closes the descriptor later, which by then must not be somebody else's.
      const placeholder = openSync('/dev/null', 'r');
      libc.dup2(placeholder, descriptor);
      closeSync(placeholder);
    },
    descriptor,
    countConnections() {
      const all = listDescriptors()?.filter(hasPort);
      // All but the one that listens.
      return all && all.length - 1;
    },
  };
}

/** Accepting a connection, even to close it, takes a descriptor, and there may be no other. */
let reservedDescriptor: number | undefined;

function reserveDescriptor(): void {
  try {
    reservedDescriptor ??= openSync('/dev/null', 'r');
  } catch {
    // Next time.
  }
}

function releaseDescriptor(): void {
  if (reservedDescriptor !== undefined) closeSync(reservedDescriptor);
  reservedDescriptor = undefined;
}

const AF_INET = 2;
const AF_INET6 = 10;
const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const SO_DETACH_FILTER = 27;
const SO_ACCEPTCONN = 30;
const NO_OPTION = new Uint8Array(4);

/**
 * Drops packets that have SYN and not ACK, which start a connection. In the kernel's filter
 * language, an instruction is an operation, two jumps and a constant.
 */
const SYN_INSTRUCTIONS = [
  // Load the flags of the TCP header, and keep SYN (2) and ACK (16).
  [0x30, 0, 0, 13],
  [0x54, 0, 0, 0x12],
  // Only SYN: drop. Otherwise: accept.
  [0x15, 0, 1, 0x02],
  [0x06, 0, 0, 0],
  [0x06, 0, 0, 0xff_ff_ff_ff],
] as const;
const SYN_PROGRAM = new Uint8Array(8 * SYN_INSTRUCTIONS.length);

function createFilter(): [Uint8Array, number] {
  const program = new DataView(SYN_PROGRAM.buffer);
  for (const [index, [operation, ifTrue, ifFalse, constant]] of SYN_INSTRUCTIONS.entries()) {
    program.setUint16(8 * index, operation, true);
    program.setUint8(8 * index + 2, ifTrue);
    program.setUint8(8 * index + 3, ifFalse);
    program.setUint32(8 * index + 4, constant, true);
  }
  const filter = new DataView(new ArrayBuffer(16));
  filter.setUint16(0, SYN_INSTRUCTIONS.length, true);
  filter.setBigUint64(8, BigInt(ptr(SYN_PROGRAM)), true);
  return [new Uint8Array(filter.buffer), filter.byteLength];
}

type Libc = ReturnType<typeof openLibc>;
let libc: Libc | null | undefined;

function loadLibc(): Libc | null {
  if (libc !== undefined) return libc;
  libc = null;
  if (process.platform !== 'linux') return libc;
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  for (const name of ['libc.so.6', `libc.musl-${architecture}.so.1`]) {
    try {
      libc = openLibc(name);
      break;
    } catch {
      // The other one, or none.
    }
  }
  return libc;
}

function openLibc(name: string) {
  return dlopen(name, {
    setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
    getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    dup2: { args: ['i32', 'i32'], returns: 'i32' },
    accept: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  }).symbols;
}

/** Undefined where the system has no such list, or where no descriptor is left to read it with. */
function listDescriptors(): number[] | undefined {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return undefined;
  }
}

function isListening(libc: Libc, descriptor: number): boolean {
  const value = new Uint32Array(1);
  const length = new Uint32Array([value.byteLength]);
  libc.getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, value, length);
  return value[0] === 1;
}

/** The port of a socket on this side; undefined where the descriptor is none of a network. */
function getLocalPort(libc: Libc, descriptor: number): number | undefined {
  const address = new Uint8Array(128);
  const length = new Uint32Array([address.byteLength]);
  if (libc.getsockname(descriptor, address, length) !== 0) return undefined;
  const view = new DataView(address.buffer);
  const isNetwork = [AF_INET, AF_INET6].includes(view.getUint16(0, true));
  // The port is at the same place in addresses of both versions.
  return isNetwork ? view.getUint16(2) : undefined;
}
