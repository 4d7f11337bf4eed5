/** Whether a text is one that sources usually write for no value: `-`, `..`, `n.a.`, `nil`. */
export function isBlankMark(text: string): boolean {
  return BLANK_MARK.test(text);
}

const BLANK_MARK = /^(?:[-–—.…*]+|n\.? ?[/.]? ?[ad]\.?|nil\.?|null|none|#n\/a)$/i;
