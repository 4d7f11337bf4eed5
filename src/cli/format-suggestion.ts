import { getEditDistance } from '../shared/edit-distance.ts';

/** ` (did you mean load?)` if names resemble the given text, else empty. */
export function formatSuggestion(text: string, names: readonly string[], prefix = ''): string {
  const similar = findSimilarNames(text, names).map((name) => `${prefix}${name}`);
  return similar.length > 0 ? ` (did you mean ${similar.join(' or ')}?)` : '';
}

const MAX_SUGGESTIONS = 3;

/** The names with the fewest typing mistakes, else those that contain the text. */
function findSimilarNames(text: string, names: readonly string[]): string[] {
  const lowerText = text.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(lowerText.length / 3));
  // A parameter that this command knows may be unknown to an older server.
  const candidates = names.filter((name) => name !== text);
  const ranked = candidates
    .map((name) => ({ name, distance: getEditDistance(lowerText, name) }))
    .filter(({ distance, name }) => distance <= maxDistance && distance < name.length);
  const minDistance = Math.min(...ranked.map(({ distance }) => distance));
  const nearest = ranked.flatMap(({ name, distance }) => (distance === minDistance ? [name] : []));
  const similar =
    nearest.length > 0 || lowerText.length < MIN_PART_LENGTH
      ? nearest
      : candidates.filter((name) => name.includes(lowerText));
  return similar.slice(0, MAX_SUGGESTIONS);
}

/** Shorter texts occur in too many names. */
const MIN_PART_LENGTH = 3;
