import { buildXlsxParts } from '../../formats/xlsx/build-xlsx-parts.ts';
import { isDay } from '../../shared/calendar.ts';
import {
  buildCentralHeader,
  buildEndOfDirectory,
  buildLocalHeader,
  STORED,
  UTF8_NAMES,
} from '../../shared/zip-headers.ts';
import type { ChartSheet } from '../charts/chart-table.ts';

/** A workbook of a chart, with a sheet that says where it is from. Loaded when one is wanted. */
export async function writeWorkbook(
  { names, rows }: ChartSheet,
  [title = '', ...source]: readonly string[],
): Promise<Blob> {
  const isDaily = rows.every(([key]) => typeof key === 'string' && isDay(key));
  const keyType = isDaily ? 'day' : typeof rows[0]?.[0] === 'number' ? 'number' : 'text';
  const parts = buildXlsxParts({
    title,
    columns: names.map((name, index) => ({ name, type: index === 0 ? keyType : 'number' })),
    rows: (async function* () {
      yield rows;
    })(),
    metadata: () => [['Chart', title], ...source.map((text) => ['Source', text] as const)],
  });
  const files: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, chunks } of parts) {
    const content = new Uint8Array(await new Blob(await Array.fromAsync(chunks)).arrayBuffer());
    const size = content.length;
    const sums = {
      flags: UTF8_NAMES,
      method: STORED,
      crc: computeCrc(content),
      compressedSize: size,
      size,
    };
    const header = buildLocalHeader(name, sums);
    files.push(header, content);
    directory.push(buildCentralHeader(name, sums, offset));
    offset += header.length + size;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = buildEndOfDirectory(directory.length, size, offset);
  return new Blob([...files, ...directory, end]);
}

/** CRC-32, as ZIP has it. */
function computeCrc(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
