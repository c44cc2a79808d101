import { createMoney } from '../../client/money.ts';
import { language } from './texts.ts';

/** Amounts in the language of the console. */
export const money = createMoney(language);
