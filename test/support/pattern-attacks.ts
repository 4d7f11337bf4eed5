/** A part of a pattern: a set of characters, a group of alternatives, or an assertion, which takes no text. */
type Atom = string | readonly (readonly Term[])[] | undefined;
interface Term {
  readonly atom: Atom;
  readonly min: number;
  readonly max: number;
}

/** Reads the source of a regular expression into terms. */
class PatternParser {
  readonly sets = new Set<string>();
  #at = 0;

  constructor(private readonly source: string) {}

  parse(): Term[][] {
    const alternatives: Term[][] = [[]];
    while (this.#at < this.source.length && this.source[this.#at] !== ')')
      if (this.#take(/\|/) === undefined) alternatives.at(-1)?.push(this.#parseTerm());
      else alternatives.push([]);
    return alternatives;
  }

  #parseTerm(): Term {
    const atom = this.#parseAtom();
    const sign = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/) ?? '{1}';
    const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(sign) ?? [];
    if (least === '')
      return { atom, min: sign[0] === '+' ? 1 : 0, max: sign[0] === '?' ? 1 : Infinity };
    return {
      atom,
      min: Number(least),
      max: comma === '' ? Number(least) : Number(most || Infinity),
    };
  }

  #parseAtom(): Atom {
    const open = this.#take(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?/);
    if (open !== undefined) {
      const alternatives = this.parse();
      this.#at += 1;
      return open.endsWith('!') ? undefined : alternatives;
    }
    if (this.#take(/\^|\$|\\[bB1-9]|\\k<\w+>/) !== undefined) return undefined;
    const set = this.#take(SET) ?? this.#take(/./su) ?? '';
    this.sets.add(set);
    return set;
  }

  #take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, `${pattern.flags}y`);
    sticky.lastIndex = this.#at;
    const [text] = sticky.exec(this.source) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}

const SET =
  /\[(?:[^\]\\]|\\.)*\]|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\c[A-Z]|\\./s;

const CHARACTERS = [
  ...['a', '0', ' ', ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code))],
  ...'\u0085\u00a0\u0301éß¹½€\u2028\u2212一\ud800😀',
];

/** A text that grows with its size. */
export type Attack = (size: number) => string;

/**
 * Texts on which a pattern may take far longer than it is to be read: a character, two in turn or the text of a
 * repeated part again and again, behind what leads to that part and before what does not follow it. The characters
 * are one for each combination of the pattern's own sets. None if the pattern repeats nothing without bound.
 */
export function createAttacks(pattern: RegExp): readonly Attack[] {
  const parser = new PatternParser(pattern.source);
  const alternatives = parser.parse();
  const flags = pattern.flags.replace(/[gyd]/g, '');
  const matchers = new Map([...parser.sets].map((set) => [set, new RegExp(`^(?:${set})$`, flags)]));
  const letters = [
    ...Map.groupBy([...CHARACTERS, ...pattern.source], (character) =>
      [...matchers.values()].map((matcher) => Number(matcher.test(character))).join(''),
    ).values(),
  ].flatMap(([letter]) => letter ?? []);
  const listLetters = (set: string) => letters.filter((letter) => matchers.get(set)?.test(letter));
  const write = ({ atom, min }: Term, least = min): string =>
    atom === undefined
      ? ''
      : (typeof atom === 'string' ? (listLetters(atom)[0] ?? '') : writeAll(atom[0])).repeat(least);
  const writeAll = (terms: readonly Term[] = [], least = 0) =>
    terms.map((term) => write(term, Math.max(term.min, least))).join('');
  const repeated: (readonly [head: string, text: string])[] = [];
  const visit = (parts: readonly (readonly Term[])[], head: string) => {
    for (const terms of parts)
      for (const [index, { atom, max }] of terms.entries()) {
        const before = head + writeAll(terms.slice(0, index));
        if (max > MAX_BOUNDED && typeof atom === 'string')
          for (const letter of listLetters(atom)) repeated.push([before, letter]);
        if (typeof atom !== 'object') continue;
        if (max > MAX_BOUNDED)
          for (const terms of atom)
            repeated.push([before, writeAll(terms)], [before, writeAll(terms, 1)]);
        visit(atom, before);
      }
  };
  visit(alternatives, '');
  if (repeated.length === 0) return [];
  const tails = ['', ...letters];
  const texts = [
    ...letters.flatMap((letter) => tails.map((tail) => ['', letter, tail])),
    ...letters.map((letter) => [letters.find((other) => other !== letter), letter, '\0']),
    ...repeated.flatMap(([head, text]) => tails.map((tail) => [head, text, tail])),
    ...repeated.map(([head, text]) => ['', head + text, '\0']),
    ...letters.flatMap((letter) => letters.map((other) => ['', letter + other, '\0'])),
  ];
  const distinct = new Map(texts.map((text) => [text.join('\n'), text]));
  return [...distinct.values()].flatMap(([head = '', text = '', tail = '']) =>
    text === '' ? [] : (size) => head + text.repeat(Math.ceil(size / text.length)) + tail,
  );
}

/** Repetitions up to this many count as none. */
const MAX_BOUNDED = 100;
