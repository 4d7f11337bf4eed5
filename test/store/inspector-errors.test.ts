import { expect, test } from 'bun:test';
import { StoreDamagedError, StoreUnavailableError } from '../../src/store/open-store.ts';
import { withDamageErrors } from '../../src/store/sqlite/inspector.ts';

/** The class of what an inspector makes of an error of SQLite with a code. */
function findClass(code: string): unknown {
  try {
    withDamageErrors(() => {
      // Most cannot be caused at will; by its name, it is an instance of the class.
      throw Object.assign(new Error('it failed'), { name: 'SQLiteError', code });
    });
  } catch (cause) {
    return (cause as Error).constructor;
  }
  return undefined;
}

test.each(['FULL', 'NOMEM', 'IOERR_READ', 'IOERR_GETTEMPPATH', 'CANTOPEN', 'BUSY', 'INTERRUPT'])(
  'an inspector takes SQLITE_%s for an error of the machine',
  (code) => expect(findClass(`SQLITE_${code}`)).toBe(StoreUnavailableError),
);

test.each(['CORRUPT', 'NOTADB', 'IOERR_SHORT_READ', 'IOERR_CORRUPTFS', 'ERROR', 'CORRUPT_INDEX'])(
  'an inspector takes SQLITE_%s for damage',
  (code) => expect(findClass(`SQLITE_${code}`)).toBe(StoreDamagedError),
);
