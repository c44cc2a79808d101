import type { Page } from './page-response.ts';
import { NO_REFUSAL, type Refusal, refusedHead } from './refusal.ts';
import type { Visit } from './visit.ts';

type Given = Pick<Page, 'title' | 'main' | 'kind' | 'cookies'> & {
  /** Errors of the form on the page. */
  refusal?: Refusal;
};

/** Page for one visitor. It is not cached, and search engines do not index it. */
export const personal = ({ t, config }: Visit, { refusal = NO_REFUSAL, ...page }: Given): Page => ({
  ...page,
  ...refusedHead(refusal),
  description: t('list.about', { site: config.siteName }),
  robots: 'noindex',
  isPersonal: true,
});
