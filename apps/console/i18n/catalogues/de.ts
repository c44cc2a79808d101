import type { Catalogue } from '../texts.ts';

/** All texts of the console in German, by the paths of their files. */
export const texts = import.meta.glob<Catalogue>('../../**/locales/de.json', { eager: true, import: 'default' });
