/**
 * Where a character comes next in a text, asked for place after place. It looks the text over once
 * in all: with `indexOf` alone, each line would search for what only the end of the text has.
 */
export class CharacterFinder {
  readonly #character: string;
  #text = '';
  #found = -1;

  constructor(character: string) {
    this.#character = character;
  }

  /** From now on the places are in this text. */
  setText(text: string): void {
    this.#text = text;
    this.#found = -1;
  }

  /** The first place from this one on, or the text's length; `at` never goes back. */
  findFrom(at: number): number {
    if (this.#found < at) {
      const found = this.#text.indexOf(this.#character, at);
      this.#found = found < 0 ? this.#text.length : found;
    }
    return this.#found;
  }
}
