import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

/** A fault to put into the program. */
export interface Mutant {
  /** The function, method, class or constant that it is in, wherever that is declared. */
  readonly symbol: string;
  /** A part of the path, if several files declare the symbol with the text. */
  readonly file?: string;
  /** Stands once in the declaration. */
  readonly text: string;
  readonly replacement: string;
}

/** Where the text of a mutant begins. */
export interface MutantPlace {
  readonly file: string;
  readonly start: number;
}

/** What is before the name of a declaration: not `return`, `await` or `new`. */
const MODIFIERS = String.raw`(?:(?:export|default|declare|abstract|public|private|protected|static|override|readonly|async|function\*?|const|let|class|interface|type|get|set) )*\*?`;
/** What is after it: parameters, types, a value, a body; for a class, what it extends. */
const REMAINDER = `(?=[(<:?={]| [={:]| extends | implements |;$)`;

/** The files that can have faults, by path. */
export function readSources(root: string): ReadonlyMap<string, string> {
  const files = ['src', 'clients/typescript/src']
    .flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)])
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** The only place that a mutant applies to. Throws if there is none, or more than one. */
export function locateMutant(sources: ReadonlyMap<string, string>, mutant: Mutant): MutantPlace {
  const { symbol, file = '', text } = mutant;
  const places = [...sources]
    .filter(([path, source]) => path.includes(file) && source.includes(text))
    .flatMap(([path, source]) =>
      findStarts(source, symbol, text).map((start) => ({ file: path, start })),
    );
  const [place] = places;
  if (place && places.length === 1) return place;
  const files = [...new Set(places.map((one) => one.file))].join(', ');
  const problem = place ? `stands ${places.length} times (${files})` : 'does not stand';
  throw new Error(`${JSON.stringify(text)} ${problem} in ${symbol}${file && ` in ${file}`}`);
}

function findStarts(source: string, symbol: string, text: string): readonly number[] {
  const starts = new Set<number>();
  for (const [from, to] of findDeclarations(source, symbol))
    for (let start = source.indexOf(text, from); start >= 0 && start + text.length <= to; )
      start = source.indexOf(text, starts.add(start) && start + 1);
  return [...starts];
}

/** From the line that declares a symbol to the next one that is not further to the right, or a lone bracket. */
function findDeclarations(source: string, symbol: string): readonly (readonly [number, number])[] {
  const heads = new RegExp(`^( *)${MODIFIERS}#?${symbol}${REMAINDER}`, 'gm');
  return [...source.matchAll(heads)].map(({ index, 0: head, 1: indentation = '' }) => {
    const next = new RegExp(String.raw`^ {0,${indentation.length}}[^\s)\]}>|]`, 'gm');
    next.lastIndex = index + head.length;
    return [index, next.exec(source)?.index ?? source.length] as const;
  });
}
