import type { NextDue } from '../../catalogue/model/next-due.ts';

interface AnnouncedDataset {
  readonly dataset: string;
  readonly title: string;
  readonly nextDue: NextDue | null;
  readonly dates: readonly string[];
}

/** A calendar (RFC 5545) of what is to come, as it was known at an instant. */
export function writeCalendar(datasets: readonly AnnouncedDataset[], knownAt: string): string {
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tenor//Releases//EN', 'METHOD:PUBLISH'],
    ...datasets.flatMap((dataset) => listEvents(dataset, knownAt)),
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('');
}

function listEvents({ dataset, title, nextDue, dates }: AnnouncedDataset, knownAt: string) {
  const announced = dates.map((at) => ({
    at,
    start: `DTSTART:${formatInstant(at)}`,
    summary: at === nextDue?.dueAt ? `${title}: ${nextDue.period}` : title,
  }));
  // It is due when a day is over: an event of that day.
  const usual = nextDue &&
    !dates.includes(nextDue.dueAt) && {
      at: nextDue.dueAt,
      start: `DTSTART;VALUE=DATE:${formatInstant(new Date(Date.parse(nextDue.dueAt) - 1).toISOString()).slice(0, 8)}`,
      summary: `${title}: ${nextDue.period}`,
    };
  return [...(usual ? [usual] : []), ...announced].flatMap(({ at, start, summary }) => [
    'BEGIN:VEVENT',
    `UID:${dataset}-${formatInstant(at)}@tenor`,
    `DTSTAMP:${formatInstant(knownAt)}`,
    start,
    `SUMMARY:${summary.replaceAll(/[\\;,]/g, '\\$&')}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
}

/** Without fractions of a second. */
const formatInstant = (instant: string) => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const MAX_LINE_BYTES = 75;

/** A line in parts of at most 75 bytes, which never divide a character. */
function foldLine(line: string): string {
  const parts = [''];
  for (const character of line) {
    const part = parts.at(-1) ?? '';
    if (Buffer.byteLength(part + character) < MAX_LINE_BYTES) parts[parts.length - 1] += character;
    else parts.push(character);
  }
  return parts.join('\r\n ');
}
