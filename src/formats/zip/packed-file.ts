import { InvalidFileError } from '../file-contents.ts';
import { openZip } from './unzip.ts';

/** Streams the only file of a ZIP archive; undefined for a workbook, and where it is no archive. */
export function findPackedFile(path: string, magic: Uint8Array) {
  if (Buffer.from(magic).toString('latin1') !== 'PK\x03\x04') return undefined;
  const zip = openZip(path);
  if (WORKBOOK_PARTS.some((name) => zip.has(name))) return undefined;
  if (zip.has('mimetype') && zip.has('content.xml'))
    throw new InvalidFileError('is an OpenDocument file (.ods); save it as .xlsx');
  const names = zip.names.filter((name) => !isSystemFile(name));
  const [name] = names;
  if (name === undefined) throw new InvalidFileError('is a ZIP file with no file in it');
  if (names.length > 1) throw new InvalidFileError(explainSeveralFiles(names));
  return (onRead?: (bytes: number) => void) => zip.readBytes(name, Infinity, onRead);
}

const WORKBOOK_PARTS = ['_rels/.rels', '[Content_Types].xml'];

/** What macOS and Windows put beside the files that a person has packed. */
const isSystemFile = (name: string) =>
  /^__MACOSX\/|(^|\/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name);

const MAX_LISTED_FILES = 20;

function explainSeveralFiles(names: readonly string[]): string {
  const listed = names
    .slice(0, MAX_LISTED_FILES)
    .join(', ')
    .replaceAll(/\p{Cc}/gu, ' ');
  const remaining = names.length - MAX_LISTED_FILES;
  const more = remaining > 0 ? ` and ${remaining} more` : '';
  return `is a ZIP file with ${names.length} files, and may have one: ${listed}${more}; unpack it, and name the file that is meant`;
}
