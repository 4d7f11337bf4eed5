/**
 * Finds the next occurrence of a character from ever larger positions. It scans the text once: with
 * `indexOf` alone, each line would search up to the end of the text for a rare character.
 */
export class CharacterFinder {
  readonly #character: string;
  #text = '';
  #next = -1;

  constructor(character: string) {
    this.#character = character;
  }

  setText(text: string): void {
    this.#text = text;
    this.#next = -1;
  }

  /** The first position from this one on, or the text's length; `start` never decreases. */
  findFrom(start: number): number {
    if (this.#next < start) {
      const next = this.#text.indexOf(this.#character, start);
      this.#next = next < 0 ? this.#text.length : next;
    }
    return this.#next;
  }
}
