let locale: string | undefined;

/** The locale of numbers and dates; undefined for English, with the day before the month. */
export function getLocale(): string | undefined {
  return locale;
}

export function setLocale(newLocale: string | undefined): void {
  locale = newLocale;
}
