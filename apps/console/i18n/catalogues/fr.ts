import type { Catalogue } from '../texts.ts';

/** All texts of the console in French, by the paths of their files. */
export const texts = import.meta.glob<Catalogue>('../../**/locales/fr.json', { eager: true, import: 'default' });
