import { TenorError } from '../../../../src/client/errors.js';
/** The last revision of a mirror that was published by an instant. */
export async function findRevisionAt(instant, newest, readManifest) {
    // Without a fraction, the whole second is meant.
    const untilMs = Date.parse(instant) + (instant.includes('.') ? 0 : 999);
    const isPublished = ({ publishedAt }) => Date.parse(publishedAt) <= untilMs;
    if (isPublished(newest))
        return newest;
    const { since = 1 } = newest;
    let found = await readManifest(since);
    if (!isPublished(found)) {
        const message = `the mirror has nothing of ${instant}: its first revision, ${since}, was published at ${found.publishedAt}`;
        throw new TenorError('not_found', message, { url: `revisions/${since}`, status: 404 });
    }
    let later = newest.revision;
    while (later - found.revision > 1) {
        const middle = await readManifest(Math.floor((found.revision + later) / 2));
        if (isPublished(middle))
            found = middle;
        else
            later = middle.revision;
    }
    return found;
}
