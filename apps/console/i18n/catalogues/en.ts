import type { Catalogue } from '../texts.ts';

/** All texts of the console in English, by the paths of their files. */
export const texts = import.meta.glob<Catalogue>('../../**/locales/en.json', { eager: true, import: 'default' });
