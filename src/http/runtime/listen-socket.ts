import { dlopen, ptr } from 'bun:ffi';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';

/**
 * The socket that a server listens on. Bun accepts every connection and, once no file descriptor is
 * left, tries again without a pause; the kernel can be told to hold connections back instead.
 */
export interface ListenSocket {
  /** The kernel ignores new connections from now on: their clients try again, every few seconds. */
  pause(): void;
  resume(): void;
  /** Closes the connections that wait to be accepted, of which there may be some after a pause. */
  closeWaiting(): void;
}

/** The listening socket of this process on a port; undefined where the system is not Linux. */
export function findListenSocket(port: number): ListenSocket | undefined {
  const libc = loadLibc();
  const descriptor = libc && findDescriptor(libc, port);
  if (!libc || descriptor === undefined) return undefined;
  reserveDescriptor();
  return {
    pause: () => void libc.setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, ...SYN_FILTER),
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
const SYN_FILTER = createFilter();

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
    accept: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  }).symbols;
}

function findDescriptor(libc: Libc, port: number): number | undefined {
  if (!existsSync('/proc/self/fd')) return undefined;
  const length = new Uint32Array(1);
  return readdirSync('/proc/self/fd')
    .map(Number)
    .find((descriptor) => {
      const isListening = new Uint32Array([0]);
      length[0] = isListening.byteLength;
      libc.getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, isListening, length);
      if (isListening[0] !== 1) return false;
      const address = new DataView(new ArrayBuffer(128));
      length[0] = address.byteLength;
      // The port is at the same place in addresses of both versions.
      const result = libc.getsockname(descriptor, new Uint8Array(address.buffer), length);
      return result === 0 && address.getUint16(2) === port;
    });
}
