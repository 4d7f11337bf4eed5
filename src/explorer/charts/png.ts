/** The looks that come from the style sheet, and are not in a drawing by itself. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
];

const SCALE = 2;
const MARGIN = 16;
const LINE = 20;

/** The drawings within an element, one under the other, as a picture with a title and a legend. */
export async function pictureOf(within: Element, title: string, foot: string): Promise<Blob> {
  const drawings = [...within.querySelectorAll<SVGSVGElement>('svg.drawing')];
  if (drawings.length === 0) throw new Error('there is no chart to make a picture of');
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('the browser has no canvas to draw on');
  const page = getComputedStyle(document.body);
  const ink = page.color;
  const font = page.fontFamily;
  const names = namesIn(within);
  const width = Math.max(...drawings.map((drawing) => drawing.clientWidth));
  const heights = drawings.reduce((sum, drawing) => sum + drawing.clientHeight + LINE, 0);
  canvas.width = (width + 2 * MARGIN) * SCALE;
  canvas.height = (heights + 4 * LINE + 2 * MARGIN) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = ink;
  pen.font = `600 16px ${font}`;
  pen.fillText(title, MARGIN, MARGIN + 14);
  pen.font = `12px ${font}`;
  let x = MARGIN;
  for (const { name, colour } of names) {
    pen.fillStyle = colour;
    pen.fillRect(x, MARGIN + LINE + 6, 10, 10);
    pen.fillStyle = ink;
    pen.fillText(name, x + 15, MARGIN + LINE + 15);
    x += pen.measureText(name).width + 31;
  }
  let y = MARGIN + 2 * LINE + 8;
  for (const drawing of drawings) {
    const heading = drawing.closest('[data-heading]')?.getAttribute('data-heading');
    if (heading) pen.fillText(heading, MARGIN, y + 12);
    if (heading) y += LINE;
    pen.drawImage(await imageOf(drawing), MARGIN, y);
    y += drawing.clientHeight;
  }
  pen.fillText(foot, MARGIN, y + LINE);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))));
  });
}

function namesIn(within: Element): { name: string; colour: string }[] {
  return [...within.querySelectorAll('.legend li')].map((item) => {
    const swatch = item.querySelector('.swatch');
    const colour = swatch ? getComputedStyle(swatch).backgroundColor : 'gray';
    return { name: item.textContent ?? '', colour };
  });
}

/** A drawing by itself, with its looks written into it. */
async function imageOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  drawing.querySelectorAll('*').forEach((original, index) => {
    const looks = getComputedStyle(original);
    for (const look of LOOKS) copies[index]?.setAttribute(look, looks.getPropertyValue(look));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
