import type { TimeUnit } from 'hyparquet';
import { DAY_MS } from '../../shared/calendar.ts';
import type { FileCell } from '../file-contents.ts';

/** An integer; beyond ±(2^53 − 1) its digits as text, which no number field accepts. */
export function toSafeInteger(value: number | bigint): FileCell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The shortest decimal of a 32-bit float: 0.1, not 0.10000000149011612. */
export function toShortestFloat(value: number): number {
  // Six digits show whether fewer suffice, except for subnormal floats, which have fewer bits.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; digits < 9; digits += 1) {
    const number = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(number), value)) return number;
  }
  // Nine digits always suffice, but those of -0 have no sign.
  return value === 0 ? value : Number(value.toPrecision(9));
}

/** The number nearest to a decimal, which is stored as an unscaled integer and a scale. */
export function toDecimal(unscaled: number | bigint | Uint8Array, scale: number): FileCell {
  const integer = unscaled instanceof Uint8Array ? toSignedBigInt(unscaled) : unscaled;
  return scale === 0 ? toSafeInteger(integer) : Number(`${integer}e-${scale}`);
}

/** Days since 1970-01-01 as `YYYY-MM-DD`; beyond the calendar, the number as text. */
export function formatDayCount(days: number): string {
  const date = new Date(days * DAY_MS);
  return Number.isNaN(date.getTime()) ? String(days) : formatDatePart(date);
}

/** `YYYY-MM-DD`, with `THH:MM:SS` unless midnight; beyond the calendar, the number as text. */
export function formatTimestamp(value: number | bigint, unit: TimeUnit, utc: boolean): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  if (Number.isNaN(date.getTime())) return String(value);
  const time = formatTimePart(date) + fraction;
  const day = formatDatePart(date);
  return time === '00:00:00' ? day : `${day}T${time}${utc ? 'Z' : ''}`;
}

/** `HH:MM:SS`, with a fraction if there is one; beyond a day, the number as text. */
export function formatTime(value: number | bigint, unit: TimeUnit): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  const isInDay = date.getTime() >= 0 && date.getTime() < DAY_MS;
  return isInDay ? formatTimePart(date) + fraction : String(value);
}

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/** The date to the second, and the fraction as `.mmm`, `.mmmuuu`, `.mmmuuunnn` or empty text. */
function splitTimestamp(value: bigint, unit: TimeUnit): { date: Date; fraction: string } {
  const perSecond = 10n ** BigInt(FRACTION_DIGITS[unit]);
  const remainder = ((value % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((value - remainder) / perSecond) * 1000);
  const digits = String(remainder)
    .padStart(FRACTION_DIGITS[unit], '0')
    .replace(/(000)+$/, '');
  return { date, fraction: digits && `.${digits}` };
}

const formatDatePart = (date: Date) => date.toISOString().slice(0, -'T00:00:00.000Z'.length);
const formatTimePart = (date: Date) =>
  date.toISOString().slice(-'00:00:00.000Z'.length, -'.000Z'.length);

/** Big-endian two's complement. */
function toSignedBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
