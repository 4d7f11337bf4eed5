import manifest from '../package.json' with { type: 'json' };

/** The version of Tenor that is running. */
export const VERSION = manifest.version;

/** The commit that the executable was built from; undefined where Tenor runs from its sources. */
export const COMMIT = typeof TENOR_COMMIT === 'undefined' ? undefined : TENOR_COMMIT;

/** Defined by `scripts/build.ts`. */
declare const TENOR_COMMIT: string | undefined;
