import { createWhen } from '../../client/when.ts';
import { language } from './texts.ts';

/** Dates in the language of the console. */
export const when = createWhen(language);

/** The same without the year, for what is near today. */
export const whenNear = createWhen(language, { hasYear: false });
