import { expect, test } from 'bun:test';
import { removeAccents } from '../../src/shared/remove-accents.ts';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

test.each([
  ['Latin-1 and Latin Extended-A', range(0xc0, 0x17f)],
  ['Latin Extended Additional', [...range(0x1e00, 0x1e99), ...range(0x1ea0, 0x1ef9)]],
  ['the letters of Romanian, Vietnamese, Azerbaijani, Hausa and Ewe', [...'șțơưəƏɓɗƙƴɛɔƒ']],
])('each letter of %s has letters of ASCII for it, composed or not', (_, letters) => {
  // The old long and insular letters stand for none of today.
  const plain = letters.filter((letter) => /\p{L}/u.test(letter) && !'ẜẝẟ'.includes(letter));
  for (const letter of plain) {
    expect([letter, removeAccents(letter)]).toEqual([
      letter,
      expect.stringMatching(/^[A-Za-z'·ʼ]+$/),
    ]);
    expect(removeAccents(letter.normalize('NFD'))).toBe(removeAccents(letter));
  }
});

test.each([
  ['país', 'pais'],
  ['años', 'anos'],
  ['ma\u0308nnlich', 'mannlich'],
  ['Straße', 'Strasse'],
  ['Ørsted', 'Orsted'],
  ['Złoty', 'Zloty'],
  ['Yıl, İl', 'Yil, Il'],
  ['Œuvre', 'OEuvre'],
  ['ﬁnal ²', 'final 2'],
  ['Ёлка', 'Елка'],
  ['Άλφα', 'Αλφα'],
  ['値', '値'],
  ['\u0301', '\u0301'],
  ['', ''],
])('%j becomes %j', (text, plain) => {
  expect(removeAccents(text)).toBe(plain);
});
