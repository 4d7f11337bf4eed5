import { type AddressRanges, normalizeAddress } from '../../shared/ip-address.ts';
import { memoize } from '../../shared/memoize.ts';

/** The address of a client, from that of the peer on the connection and the request's headers. */
export type FindClientAddress = (peer: string, headers: Headers) => string;

/** Most requests have the same few, and these are short. */
const MAX_CACHED_HEADERS = 1_000;
const MAX_CACHED_CHARACTERS = 64;

/**
 * Only trusted proxies are believed. Each proxy appends the address that it was asked from, so the
 * client is the last address that is not a proxy; what is before it, the client may have invented.
 */
export function createClientAddressFinder(proxies: AddressRanges | null): FindClientAddress {
  if (proxies === null) return removeIpv4Mapping;
  const isTrusted = memoize(MAX_CACHED_HEADERS, proxies.contains);
  const parse = (header: string) => findLastUntrusted(readForwardedFor(header), proxies);
  const parseCached = memoize(MAX_CACHED_HEADERS, parse);
  const parseForwardedFor = (header: string) =>
    header.length > MAX_CACHED_CHARACTERS ? parse(header) : parseCached(header);
  return (mappedPeer, headers) => {
    const peer = removeIpv4Mapping(mappedPeer);
    const forwarded = headers.get('forwarded');
    const forwardedFor = headers.get('x-forwarded-for');
    if ((forwarded === null && forwardedFor === null) || !isTrusted(peer)) return peer;
    const address = forwardedFor === null ? undefined : parseForwardedFor(forwardedFor);
    if (forwarded === null) return address ?? peer;
    const otherAddress = findLastUntrusted(readForwarded(forwarded), proxies);
    if (forwardedFor === null) return otherAddress ?? peer;
    // A proxy that writes one of the headers may pass on what a client wrote into the other.
    return address !== undefined && address === otherAddress ? address : peer;
  };
}

/** Removes what a socket for both versions writes before the address of an IPv4 client. */
function removeIpv4Mapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** The first in the list if all are trusted; undefined if an address is invalid or hidden. */
function findLastUntrusted(nodesFromLast: Iterable<string>, proxies: AddressRanges) {
  let address: string | undefined;
  for (const node of nodesFromLast) {
    address = normalizeAddress(removePort(node));
    if (address === undefined || !proxies.contains(address)) return address;
  }
  return address;
}

/** More than any chain of proxies needs; what is before it is not looked at. */
const MAX_HEADER_CHARACTERS = 1_024;

function* readForwardedFor(header: string): Generator<string> {
  let end = header.length;
  const start = Math.max(0, end - MAX_HEADER_CHARACTERS);
  while (end > start) {
    const comma = header.lastIndexOf(',', end - 1);
    // If the start is cut off, so may be the address.
    if (comma < start && start > 0) return yield '';
    yield header.slice(comma + 1, end).trim();
    end = comma;
  }
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const PAIR = `(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const PAIRS = new RegExp(PAIR, 'g');
const ELEMENT_PATTERN = new RegExp(`^\\s*${PAIR}(?:; ?(?:${PAIR})?)*\\s*$`);

/**
 * The `for` of each element (RFC 7239), from the last. An element starts behind the nearest comma
 * from which on it is well formed: commas may be quoted, and what a client wrote before it may be
 * malformed, such as a quote without an end.
 */
function* readForwarded(header: string): Generator<string> {
  let remaining = header.slice(-MAX_HEADER_CHARACTERS);
  const isCut = remaining.length < header.length;
  while (remaining !== '') {
    let comma = remaining.lastIndexOf(',');
    while (comma >= 0 && !ELEMENT_PATTERN.test(remaining.slice(comma + 1)))
      comma = comma === 0 ? -1 : remaining.lastIndexOf(',', comma - 1);
    const element = remaining.slice(comma + 1);
    const isComplete = comma >= 0 || (!isCut && ELEMENT_PATTERN.test(element));
    yield isComplete ? readForParameter(element) : '';
    remaining = comma < 0 ? '' : remaining.slice(0, comma);
  }
}

/** Empty if there is none, or more than one. */
function readForParameter(element: string): string {
  const pairs = [...element.matchAll(PAIRS)].filter(([, name]) => name?.toLowerCase() === 'for');
  const value = pairs.length === 1 ? (pairs[0]?.[2] ?? '') : '';
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Of `192.0.2.1:80` and `[2001:db8::1]:80`; IPv6 addresses without brackets have no port. */
function removePort(node: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\w*)?$/.exec(node) ?? [];
  return bracketed ?? dotted ?? node;
}
