import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawCode, wantedPicture } from './picture.ts';

describe('the picture of a code', () => {
  it.each([
    ['image/png', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['IMAGE/PNG;q=0.9', 'image/png'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/svg+xml'],
    ['image/png;q=0.5, image/svg+xml;q=0.9', 'image/svg+xml'],
    ['application/json, image/png', undefined],
    ['image/png;q=0.2, application/json;q=0.9', undefined],
    ['text/html,application/xhtml+xml,image/png,*/*;q=0.8', undefined],
    ['image/png;q=0', undefined],
    ['image/png;q=nonsense', undefined],
    ['*/*', undefined],
    ['', undefined],
  ])('for Accept %j is %s', (accept, type) => {
    expect(wantedPicture(accept)).toBe(type);
  });

  it('is a PNG or an SVG', async () => {
    const png = await sharp(await drawCode('https://party.test/?ticket_id=1', 'image/png')).metadata();
    expect(png).toMatchObject({ format: 'png', width: 600, height: 600 });
    const svg = new TextDecoder().decode(await drawCode('https://party.test/?ticket_id=1', 'image/svg+xml'));
    expect(svg).toMatch(/^<svg[^>]*xmlns/);
  });
});
