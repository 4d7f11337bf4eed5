import { BlockList, isIP } from 'node:net';

/** Addresses and CIDR ranges, of IPv4 and IPv6. */
export interface AddressRanges {
  /** Whether an address in normal form is in one of the ranges. */
  contains(address: string): boolean;
}

/** Parses a comma-separated list such as `10.0.0.0/8, ::1`; undefined if one is invalid. */
export function parseAddressRanges(text: string): AddressRanges | undefined {
  const ranges = new BlockList();
  for (const item of text.split(',')) {
    const [, addressText = '', prefixText] = /^\s*([^/\s]+)(?:\/(\d{1,3}))?\s*$/.exec(item) ?? [];
    if (!hasNoZone(addressText)) return undefined;
    const family = getFamily(addressText);
    const maxPrefix = family === 'ipv4' ? 32 : 128;
    const prefix = prefixText === undefined ? maxPrefix : Number(prefixText);
    if (family === undefined || prefix > maxPrefix) return undefined;
    ranges.addSubnet(addressText, prefix, family);
  }
  return {
    contains(address) {
      const family = getFamily(address);
      return family !== undefined && ranges.check(address, family);
    },
  };
}

/**
 * The normal form of an address: lower case, shortened, and IPv4 for an IPv4-mapped IPv6 address. Undefined
 * if the text is not an address.
 */
export function normalizeAddress(text: string): string | undefined {
  const family = hasNoZone(text) ? getFamily(text) : undefined;
  if (family !== 'ipv6') return family && text;
  // Bun's URL rejects some addresses that end in dotted decimals.
  const hexadecimal = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) =>
    formatGroups(bytes.slice(0, 4).map(Number)),
  );
  const address = new URL(`http://[${hexadecimal}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Four bytes as the last two groups of an IPv6 address. */
function formatGroups([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): string {
  return `${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`;
}

function getFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** A zone such as `%eth0` has a meaning on one machine only. */
function hasNoZone(address: string): boolean {
  return !address.includes('%');
}
