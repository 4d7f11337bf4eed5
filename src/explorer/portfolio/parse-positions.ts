/** Positions as the service takes them, and the lines that are none. */
export interface ParsedPositions {
  readonly positions: readonly string[];
  /** Such as `line 3: PIB five`. */
  readonly rejected: readonly string[];
}

/**
 * Positions of pasted text, a line each: a symbol or ISIN, then a face value, as spreadsheets, CSV and the service
 * itself write them. A first line without digits is a header.
 */
export function parsePositions(text: string): ParsedPositions {
  const lines = text.split(/\r?\n|,(?=[^,\d\s][^,]*:)/).map((line) => line.trim());
  const parsed = lines.map((line, index) => {
    if (line === '' || (index === 0 && !/\d/.test(line))) return {};
    const [, name = '', face = ''] = LINE.exec(line) ?? [];
    const digits = face.replaceAll(/[\s,'’_]/g, '').replace(/^\((.*)\)$|^−/, '-$1');
    return /^-?\d{1,15}(\.\d{1,6})?$/.test(digits)
      ? { position: `${name}:${digits}` }
      : { problem: `line ${index + 1}: ${line.slice(0, 60)}` };
  });
  return {
    positions: parsed.flatMap(({ position }) => position ?? []),
    rejected: parsed.flatMap(({ problem }) => problem ?? []),
  };
}

const LINE = /^"?([^\s,;:"]+)"?[\s,;:]+"?(\(?[-−]?\d[\d\s,.'’_]*\)?)"?[\s,;]*$/;

/** The positions of the URL as lines to edit. */
export const formatPositions = (positions: string): string =>
  positions
    .split(',')
    .map((position) => position.replace(/:(?=[^:]*$)/, '\t'))
    .join('\n');
