/** Letters that have no accent to remove, and those that stand for them. */
const LETTERS = new Map(
  [
    ...['ßss', 'ẞSS', 'æae', 'ÆAE', 'œoe', 'ŒOE', 'þth', 'ÞTH', 'øo', 'ØO', 'łl', 'ŁL', 'đd', 'ĐD'],
    ...['ðd', 'ÐD', 'ħh', 'ĦH', 'ŧt', 'ŦT', 'ŋn', 'ŊN', 'ıi', 'ĸk', 'əe', 'ƏE', 'ɛe', 'ƐE', 'ɔo'],
    ...['ƆO', 'ɓb', 'ƁB', 'ɗd', 'ƊD', 'ƙk', 'ƘK', 'ƴy', 'ƳY', 'ƒf', 'ƑF'],
  ].map(([letter = '', ...others]) => [letter, others.join('')]),
);

/** Letters without accents, those of ASCII where Latin has one for them; a text of accents alone stays. */
export function removeAccents(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => LETTERS.get(letter) ?? letter);
  return plain === '' ? text : plain;
}
