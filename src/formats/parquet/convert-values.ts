import type { TimeUnit } from 'hyparquet';
import type { FileCell } from '../file-contents.ts';

/** A whole number; beyond ±(2^53 − 1) its digits as text, which no later check takes for it. */
export function toSafeInteger(value: number | bigint): FileCell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The number with the fewest digits that is this 32-bit float: 0.1, not 0.10000000149011612. */
export function toShortestFloat(value: number): number {
  // Six digits always tell whether fewer do, except of the floats so small that they lose bits.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; digits < 9; digits += 1) {
    const number = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(number), value)) return number;
  }
  // Nine are always enough, but the digits of -0 have no sign.
  return value === 0 ? value : Number(value.toPrecision(9));
}

/** The number nearest to a decimal, which is stored as a whole number and a scale. */
export function toDecimal(unscaled: number | bigint | Uint8Array, scale: number): FileCell {
  const whole = unscaled instanceof Uint8Array ? toSignedBigInt(unscaled) : unscaled;
  return scale === 0 ? toSafeInteger(whole) : Number(`${whole}e-${scale}`);
}

const DAY_MS = 86_400_000;

/** A day as `YYYY-MM-DD`, counted from 1970-01-01; beyond the calendar the count, as text. */
export function formatDayCount(days: number): string {
  const date = new Date(days * DAY_MS);
  return Number.isNaN(date.getTime()) ? String(days) : formatDatePart(date);
}

/**
 * A time as `YYYY-MM-DD` at midnight, else with `THH:MM:SS` and what there is of sub-seconds behind
 * it, and `Z` where it is UTC; beyond the calendar the count of its units, as text.
 */
export function formatTimestamp(value: number | bigint, unit: TimeUnit, utc: boolean): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  if (Number.isNaN(date.getTime())) return String(value);
  const clock = formatClockPart(date) + fraction;
  return clock === '00:00:00'
    ? formatDatePart(date)
    : `${formatDatePart(date)}T${clock}${utc ? 'Z' : ''}`;
}

/** A time of day as `HH:MM:SS` with what there is of sub-seconds; beyond a day the count, as text. */
export function formatTime(value: number | bigint, unit: TimeUnit): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  const withinDay = date.getTime() >= 0 && date.getTime() < DAY_MS;
  return withinDay ? formatClockPart(date) + fraction : String(value);
}

/** Sixteen bytes in the usual form of a UUID. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/** Whole seconds as a date, and the rest as `.mmm`, `.mmmuuu`, `.mmmuuunnn` or nothing. */
function splitTimestamp(value: bigint, unit: TimeUnit): { date: Date; fraction: string } {
  const perSecond = 10n ** BigInt(FRACTION_DIGITS[unit]);
  const rest = ((value % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((value - rest) / perSecond) * 1000);
  const digits = String(rest)
    .padStart(FRACTION_DIGITS[unit], '0')
    .replace(/(000)+$/, '');
  return { date, fraction: digits && `.${digits}` };
}

const formatDatePart = (date: Date) => date.toISOString().slice(0, -'T00:00:00.000Z'.length);
const formatClockPart = (date: Date) =>
  date.toISOString().slice(-'00:00:00.000Z'.length, -'.000Z'.length);

/** Bytes as two's complement, the largest first. */
function toSignedBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
