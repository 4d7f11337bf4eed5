import type { Page } from 'playwright-core';

export const README_VIEW = 'view=market';
export const README_SCREEN = { viewport: { width: 1280, height: 1080 } };

/** The visible texts of a page, axes included, in their order: what its picture shows. */
export async function readPictureTexts(page: Page): Promise<string> {
  const texts = await page.evaluate<string[]>(`
    Array.from(document.querySelectorAll('body :not(script, style)'), (element) => {
      const { top, height } = element.getBoundingClientRect();
      if (top > innerHeight || height === 0 || !element.checkVisibility()) return '';
      return Array.from(element.childNodes, ({ nodeType, data }) => (nodeType === 3 ? data : '')).join(' ').trim();
    }).filter(Boolean)`);
  return `${texts.join('\n')}\n`;
}
