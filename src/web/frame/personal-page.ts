import type { Page } from './answer.ts';
import { answeredAs, NO_REFUSAL, type Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';

type Given = Pick<Page, 'title' | 'main' | 'kind' | 'cookies'> & {
  /** What is wrong with the form of the page. */
  refusal?: Refusal;
};

/** A page for one visitor, which nothing keeps and search engines leave out. */
export const personal = ({ t, config }: Visit, { refusal = NO_REFUSAL, ...page }: Given): Page => ({
  ...page,
  ...answeredAs(refusal),
  description: t('list.about', { site: config.siteName }),
  robots: 'noindex',
  isPersonal: true,
});
