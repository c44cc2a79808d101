import { expect, it } from 'vitest';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { formerOf } from './media-texts.ts';

const url = 'https://example.test/uploads/2027/03/hall-0123456789ab.png';
// The others are of no importance here.
const picture = { title: 'The hall', url, alt: 'A hall', focus: { x: 10, y: 20 } } as Media;
const own = { title: 'The hall', alt: 'A hall', focus: { x: 10, y: 20 } };
const called = (title: string) => ({ ...picture, title });
const inLanguages = (translations: NonNullable<Media['translations']>) => ({ ...picture, translations });

it.each([
  ['has texts of its own', picture, 'en', own],
  ['is called by its file', called('hall'), 'en', { ...own, title: null }],
  ['has a title with which its file begins', called('hal'), 'en', { ...own, title: 'hal' }],
  ['is described in this language', inLanguages({ fr: ['alt'] }), 'fr', own],
  ['is described in another language only', inLanguages({ en: ['alt'] }), 'fr', { ...own, alt: null }],
  ['has no description', { ...picture, alt: '' }, 'en', { ...own, alt: null }],
])('what is sent to restore a picture that %s invents nothing', (_what, before, language, sent) => {
  expect(formerOf(before, language)).toEqual(sent);
});
