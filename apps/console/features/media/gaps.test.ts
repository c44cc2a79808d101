import { expect, it } from 'vitest';
import { languagesWithoutAlt } from './media-texts.ts';

it.each([
  ['nothing at all', { alt: '' }, ['en', 'fr', 'de']],
  ['no field for it', {}, ['en', 'fr', 'de']],
  ['a text in the first language', { alt: 'A mill' }, ['fr', 'de']],
  ['two texts', { alt: 'A mill', translations: { en: ['alt'], de: ['alt'] } }, ['fr']],
  ['only a text in another language', { alt: 'Moulin', translations: { fr: ['alt'] } }, ['en', 'de']],
  ['all texts', { alt: 'A mill', translations: { en: ['alt'], fr: ['alt'], de: ['alt'] } }, []],
])('a picture with %s lacks the others', (_what, picture, missing) => {
  expect(languagesWithoutAlt(picture, ['en', 'fr', 'de'])).toEqual(missing);
});
