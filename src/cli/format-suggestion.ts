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

/** The number of letters to add, remove, replace or swap with a neighbour. */
function getEditDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
